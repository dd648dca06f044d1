"""Masking: sixty examples with what must not remain, and texts in which nothing may be taken for a secret."""

from __future__ import annotations

import pytest

from rag_sweep.answers.masking.masker import Masker

# a text, the parts that must not be readable afterwards, and the kind of mark that stands for the first
EXAMPLES = (
    ("Заявку подал Иванов Иван Иванович вчера.", ("Иванов", "Иван", "Иванович"), "PERSON"),
    ("Передайте Петровой Анне Сергеевне справку.", ("Петровой", "Анне", "Сергеевне"), "PERSON"),
    ("Меня зовут Мария, где мой отпуск?", ("Мария",), "PERSON"),
    ("меня зовут олег, не работает пропуск", ("олег",), "PERSON"),
    ("Согласовано: Сидоров А. В.", ("Сидоров",), "PERSON"),
    ("Подписал К.П. Лебедев, копия в архиве.", ("Лебедев",), "PERSON"),
    ("Уважаемый Николай Петрович, ответьте.", ("Николай", "Петрович"), "PERSON"),
    ("С уважением, Ольга Кузнецова", ("Ольга", "Кузнецова"), "PERSON"),
    ("Пишет Дмитрий Соколов из отдела закупок.", ("Дмитрий", "Соколов"), "PERSON"),
    ("Мой начальник Фёдор Михайлович болен.", ("Фёдор", "Михайлович"), "PERSON"),
    ("Г-жа Воробьёва просит перезвонить.", ("Воробьёва",), "PERSON"),
    ("Клиент: Тихонов Егор, тариф старый.", ("Тихонов", "Егор"), "PERSON"),
    ("Карточку оформить на Римскую-Корсакову Юлию Андреевну", ("Корсакову", "Юлию"), "PERSON"),
    ("Вчера звонила Гульнара Ахметова.", ("Гульнара", "Ахметова"), "PERSON"),
    ("Спросите у Василия Никитина.", ("Василия", "Никитина"), "PERSON"),
    ("Dear Mr. Smith, your leave is approved.", ("Smith",), "PERSON"),
    ("My name is John Carter and I can't log in.", ("John", "Carter"), "PERSON"),
    ("Please ask Dr Emily Watson about it.", ("Emily", "Watson"), "PERSON"),
    ("Regards,\nHannah O'Neill", ("Hannah", "Neill"), "PERSON"),
    ("Dear Priya, the badge is ready.", ("Priya",), "PERSON"),
    ("I spoke to Robert Brown yesterday.", ("Robert", "Brown"), "PERSON"),
    ("Hi Liam, where is my laptop?", ("Liam",), "PERSON"),
    ("Mrs J. Fletcher has moved.", ("Fletcher",), "PERSON"),
    ("my name is kevin, reset my password", ("kevin",), "PERSON"),
    ("The form was signed by Agnieszka Nowak.", ("Agnieszka", "Nowak"), "PERSON"),
    ("This is Oluwaseun from payroll.", ("Oluwaseun",), "PERSON"),
    ("Пишите на i.petrov@zavod.example", ("i.petrov@zavod.example",), "EMAIL"),
    ("mail: anna+hr@sub.company.example, thanks", ("anna+hr@sub.company.example",), "EMAIL"),
    ("Мой адрес — отдел_кадров@почта.example", ("отдел_кадров@почта.example",), "EMAIL"),
    ("Позвоните +7 (495) 123-45-67", ("123-45-67", "495"), "PHONE"),
    ("тел. 8 912 345 67 89", ("345 67 89",), "PHONE"),
    ("номер 89161234567 не отвечает", ("89161234567",), "PHONE"),
    ("городской телефон 24-15-36", ("24-15-36",), "PHONE"),
    ("Call me at +44 20 7946 0958 please", ("7946 0958",), "PHONE"),
    ("My cell: (555) 010-4477", ("010-4477",), "PHONE"),
    ("phone 555-0134 after six", ("555-0134",), "PHONE"),
    ("+1-202-555-0175 is my number", ("555-0175",), "PHONE"),
    ("Паспорт серия 45 12 № 345678 выдан давно", ("345678", "45 12"), "PASSPORT"),
    ("паспорт 4512 345678", ("4512 345678",), "PASSPORT"),
    ("Данные: 45 12 345678, прописка прежняя", ("45 12 345678",), "PASSPORT"),
    ("My passport no. AB1234567 expires soon", ("AB1234567",), "PASSPORT"),
    ("passport number 123456789", ("123456789",), "PASSPORT"),
    ("СНИЛС 112-233-445 95", ("112-233-445",), "SNILS"),
    ("мой снилс: 11223344595", ("11223344595",), "SNILS"),
    ("ИНН 7707083893", ("7707083893",), "INN"),
    ("инн физлица 500100732259 верный?", ("500100732259",), "INN"),
    ("Реквизиты 7707083893, оплатите", ("7707083893",), "INN"),
    ("Social security 078-05-1120", ("078-05-1120",), "SSN"),
    ("Карта 4111 1111 1111 1111 не проходит", ("1111 1111",), "CARD"),
    ("card number 5500-0000-0000-0004", ("5500-0000",), "CARD"),
    ("списали с 2200150000000004? карта 2200 1500 0000 0012", ("2200 1500 0000 0012",), "CARD"),
    ("договор № 17/2024-К расторгнут", ("17/2024-К",), "CONTRACT"),
    ("По контракту №АБ-00123 нет оплаты", ("АБ-00123",), "CONTRACT"),
    ("полис ОМС № 7712345678901234", ("7712345678901234",), "CONTRACT"),
    ("contract no. HR-2024/118 was signed", ("HR-2024/118",), "CONTRACT"),
    ("policy number QX99-5521", ("QX99-5521",), "CONTRACT"),
    ("лицевой счёт 40817810099910004312", ("40817810099910004312",), "CONTRACT"),
    ("IBAN GB29 NWBK 6016 1331 9268 19", ("NWBK", "9268"), "IBAN"),
    ("водительское удостоверение 77 УМ 123456", ("123456",), "LICENCE"),
    ("driving license D1234567 expired", ("D1234567",), "LICENCE"),
)
HARMLESS = (
    "Отпуск длится 28 календарных дней, заявление подают за 14 дней.",
    "Суточные 700 рублей, лимит 1 250 000 рублей в 2024 году.",
    "Ошибка 812 значит неверный пароль [vpn:0-120].",
    "Уважаемые коллеги, совещание 15.03.2024 в 10:30.",
    "Совет директоров утвердил бюджет на 2025-2026 годы.",
    "The daily allowance is 1,250.50 dollars from 2024-01-15 to 2024-02-01.",
    "Dear Customer, error 0x80070005 means access denied.",
    "Version 10.0.19045.3803 needs 16 GB and 120 minutes.",
    "Room 412, building 7, opens at 8:30 a.m.",
    "Красная Площадь и Большой Театр закрыты по понедельникам.",
)
KNOWN_MISSES = {"Гульнара", "Ахметова", "Oluwaseun"}
"""Rare names without a cue, as docs/answers-sweep.md says."""
RECALL = (77, 80)
"""Secrets that are masked, of all, as docs/answers-sweep.md says."""


def masked(text: str) -> str:
    return Masker().mask(text)


def test_the_stated_share_of_sixty_examples_is_masked() -> None:
    assert len(EXAMPLES) == 60
    secrets = [(text, secret) for text, each, _ in EXAMPLES for secret in each]
    missed = {secret for text, secret in secrets if secret in masked(text)}
    assert missed == KNOWN_MISSES
    assert (len(secrets) - len(missed), len(secrets)) == RECALL


@pytest.mark.parametrize(("text", "kind"), [(text, kind) for text, _, kind in EXAMPLES])
def test_a_mark_says_what_stood_there(text: str, kind: str) -> None:
    found = masked(text)
    assert found == text or f"{kind}_{'A' if kind == 'PERSON' else 1}" in found


@pytest.mark.parametrize("text", HARMLESS)
def test_dates_amounts_versions_and_citations_stay(text: str) -> None:
    assert masked(text) == text


def test_one_person_has_one_mark_in_every_case_and_text_of_a_document() -> None:
    masker = Masker()
    masker.learn("Пишу про Иванова", "Ответственный: Иванов Иван Иванович")
    assert masker.mask("Пишу про Иванова") == "Пишу про PERSON_A"
    assert masker.mask("Справку дали Иванову Ивану Ивановичу.") == "Справку дали PERSON_A."
    assert masker.mask("Петров Пётр Петрович и Иванов И. И.") == "PERSON_B и PERSON_A"


def test_one_phone_has_one_mark_however_it_is_written() -> None:
    masker = Masker()
    assert masker.mask("+7 (495) 123-45-67 или 84951234567") == "PHONE_1 или PHONE_1"
    assert masker.mask("а ещё 8 495 765-43-21") == "а ещё PHONE_2"
    assert masker.counts == {"PHONE": 3}


def test_two_documents_begin_their_numbers_anew() -> None:
    assert masked("mail: a@b.example") == masked("mail: c@d.example") == "mail: EMAIL_1"
