"""Masking of people and of announced numbers: in which places they are found, and what is left alone."""

from __future__ import annotations

import pytest

from rag_sweep.answers.masking.masker import Masker

# a text, and what remains of it
NAMES = (
    ("Это Кузнецов из логистики.", "Это PERSON_A из логистики."),
    ("Гульнара не может войти", "PERSON_A не может войти"),
    ("Could Priya from finance approve it?", "Could PERSON_A from finance approve it?"),
    ("John asked: how long?", "PERSON_A asked: how long?"),
    ("3 months, John [onboarding].", "3 months, PERSON_A [onboarding]."),
    ("Жду ответа, Ольга", "Жду ответа, PERSON_A"),
    ("Маша Белова ушла на больничный", "PERSON_A ушла на больничный"),
    ("Пишет Кузнецов", "Пишет PERSON_A"),
    ("Вас беспокоит Кузнецов", "Вас беспокоит PERSON_A"),
    ("Priya Sharma approved it", "PERSON_A approved it"),
    ("Передайте Кузнецову и Ширяевой", "Передайте PERSON_A и PERSON_B"),
    ("Директор школы Петренко уволился", "Директор школы PERSON_A уволился"),
    ("Хочу спросить у Рустэма Валиева", "Хочу спросить у PERSON_A"),
    ("Спасибо, Дугар", "Спасибо, PERSON_A"),
    ("Can Qarmatos from purchasing sign?", "Can PERSON_A from purchasing sign?"),
    ("This is Oluwaseun from payroll.", "This is PERSON_A from payroll."),
    ("Is it true that Qarmat said so?", "Is it true that PERSON_A said so?"),
    ("my colleague Qarmatos is away", "my colleague PERSON_A is away"),
    ("Anna and Qarmatos sign", "PERSON_A and PERSON_B sign"),
    ("Many thanks, Qarmatos", "Many thanks, PERSON_A"),
    ("Anna's laptop, Mr. Smith's too", "PERSON_A's laptop, Mr. PERSON_B's too"),
    ("Ask Juan de la Cruz today", "Ask PERSON_A today"),
    ("спросите лену петрову", "спросите PERSON_A"),
    ("john smith asked, /srv/john/x", "PERSON_A asked, /srv/john/x"),
    ("это кузнецов из бухгалтерии", "это PERSON_A из бухгалтерии"),
    ("hi, qarmat zolu here, vpn is down", "hi, PERSON_A here, vpn is down"),
    ("Qarmat lost his badge", "PERSON_A lost his badge"),
    ("cc Qarmat, forward it to Zolu", "cc PERSON_A, forward it to PERSON_B"),
    ("у Кузнецова заблокирован пропуск", "у PERSON_A заблокирован пропуск"),
    ("Ковальчук болеет", "PERSON_A болеет"),
    ("signed P. Jackson", "signed PERSON_A"),
    ("Yours, P. Jackson", "Yours, PERSON_A"),
    ("my name is P. Qarmat", "my name is PERSON_A"),
    ("Approved by J. Zolu in May", "Approved by PERSON_A in May"),
    ("Best, tom", "Best, PERSON_A"),
    ("kind regards, qarmat", "kind regards, PERSON_A"),
    ("с уважением, петрова анна", "с уважением, PERSON_A"),
    ("с уважением, дугар", "с уважением, PERSON_A"),
    ("иванов петр сергеевич просит", "PERSON_A просит"),
    ("наталье сергеевне отправили", "PERSON_A отправили"),
    ("анна ильинична петрова болеет", "PERSON_A болеет"),
    ("JOHN SMITH asked; john smith's number", "PERSON_A asked; PERSON_A's number"),
    ("Dear Qarmat Zolu, is qarmat zolu in?", "Dear PERSON_A, is PERSON_A in?"),
)
VERBS = (
    ("Ask John Smith about it", "Ask PERSON_A about it"),
    ("Tell Mary Jones", "Tell PERSON_A"),
    ("Call Peter", "Call PERSON_A"),
    ("Email Anna Kowalski the file", "Email PERSON_A the file"),
    ("Did Tom sign?", "Did PERSON_A sign?"),
    ("Позвоните Наталье Сергеевне", "Позвоните PERSON_A"),
    ("Пишет Дмитрий Соколов", "Пишет PERSON_A"),
    ("Жена Людмила", "Жена PERSON_A"),
    ("Will Smith approve it?", "Will PERSON_A approve it?"),
)
# a name that is a word as well: what stands beside it tells
BOTH = (
    ("Спросите Веру", "Спросите PERSON_A"),
    ("Вера просит справку", "PERSON_A просит справку"),
    ("Вера Иванова и Иванова Вера", "PERSON_A и PERSON_A"),
    ("Надежда Петровна звонила", "PERSON_A звонила"),
    ("Любовь Соколова уволилась", "PERSON_A уволилась"),
    ("Роман пишет", "PERSON_A пишет"),
    ("Will Smith asked for it", "PERSON_A asked for it"),
    ("Ask Mark about it", "Ask PERSON_A about it"),
    ("Mark, when is it due?", "PERSON_A, when is it due?"),
    ("Mark's laptop is off", "PERSON_A's laptop is off"),
)
NUMBERS = (
    ("Её табельный 004512", "Её табельный EMPLOYEE_1"),
    ("my employee id is 48213", "my employee id is EMPLOYEE_1"),
    ("ID: 48213", "ID: EMPLOYEE_1"),
    ("Ольга, вн. 4417", "PERSON_A, вн. EXTENSION_1"),
    ("доб. 4417, ext. 204, extension 7711", "доб. EXTENSION_3, ext. EXTENSION_2, extension EXTENSION_1"),
    ("Reach me on 555-0134", "Reach me on PHONE_1"),
    ("Call 555-0134 or 555-0135", "Call PHONE_2 or PHONE_1"),
    ("Phones: 555-0134, 555-0135 and 555-0136", "Phones: PHONE_3, PHONE_2 and PHONE_1"),
    ("phone 555-0134 (office), 555-0135 (home)", "phone PHONE_2 (office), PHONE_1 (home)"),
    ("тел. 12-34-56 или 12-34-57", "тел. PHONE_2 или PHONE_1"),
    ("Телефоны: 8 912 345-67-89, 345-67-90", "Телефоны: PHONE_2, PHONE_1"),
    ("мой номер 912 345 67 89", "мой номер PHONE_1"),
    ("my number is 2025550175", "my number is PHONE_1"),
    ("my number is 07700 900123", "my number is PHONE_1"),
    ("contact 555-0134", "contact PHONE_1"),
    ("my SSN is 123456789", "my SSN is SSN_1"),
    ("SSN: 123 45 6789", "SSN: SSN_1"),
    ("my social security number is 123 45 6789", "my social security number is SSN_1"),
    ("driving licence D123-4567-8901", "driving licence LICENCE_1"),
    ("driving licence MORGA 657054 SM9IJ", "driving licence LICENCE_1"),
    ("driving licence D1234567 12 months", "driving licence LICENCE_1 12 months"),
    ("passport number is 123456789", "passport number is PASSPORT_1"),
    (
        "passport 12345678-AB, driver license F255-921-50-094-0",
        "passport PASSPORT_1, driver license LICENCE_1",
    ),
    ("call 555 0134 or 555 0135", "call PHONE_2 or PHONE_1"),
    ("passport: P<USA1234", "passport: PASSPORT_1"),
    ("my card number is 4276380012345678", "my card number is CARD_1"),
    ("INN 7707083893/770701001", "INN INN_1"),
    ("снилс 11223344595123", "снилс SNILS_1"),
    ("contract ABC-123/45", "contract CONTRACT_1"),
    ("договор 77-АВ/2024", "договор CONTRACT_1"),
    ("договор аренды ABC-1/2", "договор аренды CONTRACT_1"),
    ("contract number is X-12", "contract number is CONTRACT_1"),
    ("ivan.petrov at mail dot ru", "EMAIL_1"),
    ("My number is 555-0134", "My number is PHONE_1"),
    ("звоните мне после 18:00 на 24-15-36", "звоните мне после 18:00 на PHONE_1"),
    ("call me on 5550134", "call me on PHONE_1"),
    ("it is 020 7946 0958", "it is PHONE_1"),
    ("дата рождения 12.03.1985", "дата рождения BIRTH_1"),
    ("born on May 5, 1990", "born on BIRTH_1"),
    ("родилась 5 мая 1990 года", "родилась BIRTH_1 года"),
    ("1985 г.р.", "BIRTH_1 г.р."),
    ("полис ОСАГО ХХХ 0123456789", "полис ОСАГО CONTRACT_1"),
    ("пишите @ivanov_p", "пишите HANDLE_1"),
    ("@IvanP и @ivanp", "HANDLE_1 и HANDLE_1"),
)
HARMLESS = (
    "Москва, Ростов и Саратов в июне.",
    "In May we ask. May I? Will Finance pay?",
    "Mark the box, then Grace Period starts.",
    "Вера в лучшее. Надежда умирает последней. Любовь к работе.",
    "Роман читают в отпуске",
    "Город Владимир, улица Марии Ульяновой, ул. Ивана Франко",
    "Elizabeth Street, San Francisco and the Viktor Museum",
    "Отдел Кадров и Совет Директоров",
    "Основа договора, причина отказа, магазин закрыт.",
    "Поддержка ИТ-ресурсов",
    "Use Outlook or Jira on Monday; Windows needs an update.",
    "у Сбербанка и у Москвы",
    "Любой сотрудник может, кости целы.",
    "contact Social Security, called Voc Rehab",
    "the GI Bill and the Data Act",
    "Employee Handbook, Customer Portal",
    "Managers said so, Finance approved it.",
    "Event ID 4625 means error 48213, item id 12",
    "an extension of 30 days, an extension 180 days, contract extension 2025",
    "people born in 1960 retire at 67",
    "numpy@1.26.0, @dataclass, @angular/core",
    "Внутренний порядок 30 дней, добавили 4417 строк",
    "a driving licence since 2019, a passport is valid for 10 years",
    "policy COVID-19 and policy ISO-9001, contract 12/2024",
    "Signed Contracts must be kept. Signed copies too.",
    "Vitamin C. Brown rice, C. Difficile, living with HIV. Results showed",
    "phone calls, 2024-2025, 100-2000; SSN is required; social security 2024",
    "meet at noon dot net, the site dot com",
    "с уважением к коллегам",
    "С уважением, команда поддержки",
    "thanks, bye",
)


def masked(text: str) -> str:
    return Masker().mask(text)


@pytest.mark.parametrize(("text", "left"), NAMES)
def test_people_are_told_by_their_names_and_by_what_stands_around(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize(("text", "left"), VERBS)
def test_the_word_that_begins_a_sentence_stays(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize(("text", "left"), BOTH)
def test_a_name_that_is_a_word_too_is_told_by_its_neighbours(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize(("text", "left"), NUMBERS)
def test_numbers_are_told_by_the_words_that_announce_them(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize("text", HARMLESS)
def test_words_of_the_trade_places_and_months_stay(text: str) -> None:
    assert masked(text) == text


def test_a_short_form_is_the_same_person_as_the_full_one() -> None:
    masker = Masker()
    masker.learn("Маша Белова ушла", "Марии Беловой выплатят")
    assert masker.mask("Маша Белова и Мария Белова, Машу") == "PERSON_A и PERSON_A, PERSON_A"
    assert masker.mask("Bob Smith is Robert Smith") == "PERSON_B is PERSON_B"
    assert (masker.people, masker.counts["PERSON"]) == (2, 5)


def test_a_month_stays_one_when_somebody_is_called_so() -> None:
    assert masked("May Lee asked. May I come in May?") == "PERSON_A asked. May I come in May?"
