"""Refusals in many words, what only sounds like one, and answers that lack one thing and have another."""

from __future__ import annotations

import time

import pytest

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.rules.judging import Rules
from rag_sweep.rules.refusal import Refusals

REFUSALS = """
К сожалению, про бассейн мне ничего не попалось.
Увы, в предоставленных выдержках тема бассейна не затронута.
По имеющимся материалам ответить затруднительно.
Сложно сказать.
В предоставленных материалах ответа нет.
Про парковку в правилах ни слова.
Об этом в документах ничего нет.
Ничего про собак в правилах нет.
Этого в инструкции нет.
Таких сведений я не вижу.
Сведений о бассейне обнаружить не удалось.
В тексте отсутствует упоминание парковки.
Этот вопрос в документе обойдён молчанием.
Контекст не позволяет ответить на вопрос.
Из текста это неясно.
Информация по парковке не представлена.
Данных не хватает.
Об этом умалчивается.
К сожалению, не подскажу.
Я не уверена; уточните в магазине.
Неизвестно.
The handbook offers no guidance on that.
I came up empty on car permits in these excerpts.
Not covered here, sorry.
It is not listed.
I don't see anything on this.
Nothing about gluten-free bread is mentioned.
There's nothing about that.
There's no word on parking in the handbook.
I'm not sure whether that is sold; please ask in the shop.
Unknown.
That information isn't here.
None of the passages mention parking.
Parking is never mentioned.
The context is insufficient to answer.
It's unclear from the documents whether parking is free.
There isn't any information on parking.
Parking prices are absent from the documents.
No relevant passages were found.
The provided text fails to mention parking.
You won't find that in the handbook.
"""

RULES = """
Если ответа нет, заявка возвращается.
Ответа нет в течение 3 дней — согласие считается полученным.
Отсутствие ответа в течение трёх дней считается согласием.
Договор вступает в силу, даже если сумма не названа.
Информация не разглашается.
Данные клиентов не передаются третьим лицам.
В заявлении не указывают причину отпуска.
Сложно найти парковку после 9 утра, приезжайте раньше.
Никому ни слова о пароле.
Лекарство нигде не встречается в свободной продаже.
Такого права у стажёров нет.
Тема письма не заполняется.
No answer within 3 days counts as consent.
No information may be shared with third parties.
Nothing on the desk may be left overnight.
Nothing about the procedure changes in 2025.
Guests who are not listed at the desk wait outside.
It is not given to children under 6.
It is not available on Sundays.
Not available in stores.
You pay nothing on delivery.
No reference is needed.
If you are not sure, ask HR.
However, this does not give you the right to remove the vehicle.
"""


@pytest.mark.parametrize("text", REFUSALS.strip().splitlines())
def test_a_refusal_is_recognised_by_what_it_is_built_of(text: str) -> None:
    assert Refusals().refuses(text)


@pytest.mark.parametrize("text", RULES.strip().splitlines())
def test_what_a_rule_says_is_no_refusal(text: str) -> None:
    assert not Refusals().refuses(text)


def refuses(question: str, answer: str) -> bool:
    case = Case("q", question, (Context("a", "The yard is open."),))
    verdict = Rules().judge(case, Answer("q", answer)).verdict("refusal")
    assert verdict is not None
    return bool(verdict.detail["refuses"])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long is sick pay?", "The document doesn't state the amount, but sick pay lasts 26 weeks [a]."),
        ("How long is sick pay?", "Answer: the amount isn't given, but sick pay lasts 26 weeks [a]."),
        ("How long is sick pay?", "Sick pay lasts 26 weeks [a], though the policy doesn't mention the rate."),
        ("How long is sick pay?", "Although the policy doesn't mention the rate, sick pay is 26 weeks [a]."),
        ("Как платят премию?", "В документе размер не указан, но премию платят до 25 декабря [a]."),
        ("Сколько стоит доставка и когда её ждать?", "Стоимость в документе не указана; ждать 5 дней [a]."),
        ("Сколько стоит доставка и какой срок?", "О стоимости доставки ничего нет; срок — 5 дней [a]."),
        (
            "Who approves trips?",
            "The policy doesn't explicitly say who approves trips. The manager signs [a].",
        ),
        ("Who approves trips?", "It isn't stated. However, the manager approves trips [a]."),
        ("What time?", "**Answer:** Laptops are not provided to contractors [a]."),
        ("", "No information on this. The shop is open on Sundays [a]."),
    ],
)
def test_an_answer_may_lack_one_thing_and_have_another(question: str, answer: str) -> None:
    assert not refuses(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there parking?", "The rules say nothing about parking; they only cover pool hours [a]."),
        ("Is there parking?", "I could only find pool hours [a], nothing on parking."),
        ("Is bread gluten-free?", "There is no information on that. The shop is open until 16:00 [a]."),
        ("Is there a gym discount?", "The text doesn't mention a gym discount, but a canteen discount [a]."),
        ("Есть ли парковка?", "О парковке в правилах ни слова; сказано только о часах бассейна [a]."),
        ("Есть ли парковка?", "О парковке сведений нет, но велосипеды оставляют во дворе [a]."),
        ("Есть ли парковка?", "Сведений нет [a]."),
        ("Is there parking?", "There is no information on parking. Source: [a]."),
    ],
)
def test_a_refusal_may_point_to_something_else(question: str, answer: str) -> None:
    assert refuses(question, answer)


@pytest.mark.parametrize(
    "piece", ["not in the document ", "но ", "; ", "ничего про ", "sorry ", "the answer "]
)
def test_a_hundred_kilobytes_take_moments(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    began = time.process_time()
    Refusals().refuses(text)
    assert time.process_time() - began < 5
