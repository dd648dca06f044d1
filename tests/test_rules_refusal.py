"""Whether an answer refuses, and whether it should."""

from __future__ import annotations

import pytest

from rag_sweep.cases.records import Answer, Case, Context, Rubric
from rag_sweep.errors import ConfigError
from rag_sweep.rules.judging import Rules
from rag_sweep.rules.refusal import RefusalRule, Refusals, should_refuse

CONTEXT = (Context("d", "The yard is open."),)
SOCKET = "Сколько стоит подключение розетки?"
ICELAND = "Do you deliver to Iceland?"
REFUSED = "The documents don't say that."


def judge(answer: str, evidence: bool | None, rubric: Rubric | None = None) -> tuple[str, str]:
    case = Case("q", "What?", CONTEXT, rubric or Rubric(), evidence=evidence)
    found = RefusalRule(Refusals()).judge(case, Answer("q", answer))
    return found.state, found.reason


@pytest.mark.parametrize(
    "text",
    [
        "В контексте нет информации об этом.",
        "К сожалению, я не нашёл ответа.",
        "Не знаю.",
        "По этим материалам ответить нельзя.",
        "Информации о парковке нет.",
        "Контекст не содержит цены [d].",
        "There is no information on this in the context.",
        "I don’t know.",
        "That is not covered by the passages.",
        "Nothing in the documents tells the price.",
        "The provided context lacks this.",
        "I can't answer that.",
        "О парковке в регламенте не говорится.",
        "Про парковку тут не написано.",
        "Стоимость парковки неизвестна.",
        "К сожалению, эта информация мне недоступна.",
        "У меня нет доступа к таким данным.",
        "Не обладаю такими данными.",
        "Документы не отвечают на этот вопрос.",
        "Я могу отвечать только на вопросы по кадровым документам.",
        "О рассрочке в документах ничего нет.",
        "Unfortunately, that's not something I can help with.",
        "I can only answer questions about the handbook.",
        "The knowledge base doesn't cover parking.",
        "I have no access to prices.",
        "I'm not able to assist with that.",
        "The text doesn't name the officer.",
        '"I don\'t know."',
    ],
)
def test_a_refusal_is_recognised(text: str) -> None:
    assert Refusals().refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "Если номер не указан, заявка возвращается.",
        "If the number is not found, call the desk.",
        "Laptops are not provided to contractors [d].",
        "Пропуск готов через 5 дней [d]. О цене информации нет.",
        "Нет, форма стажёрам не выдаётся.",
        "Never leave the yard open.",
        "Статус «Нет данных» означает, что счётчик не передаёт показания.",
        'The page shows "not found" where the number is wrong.',
        "This policy does not cover contractors.",
        "Contractors are not covered by this policy [d].",
        "",
    ],
)
def test_what_only_sounds_like_a_refusal_is_none(text: str) -> None:
    assert not Refusals().refuses(text)


@pytest.mark.parametrize(
    ("answer", "evidence", "verdict"),
    [
        (REFUSED, False, ("pass", "rightly_refused")),
        (REFUSED, True, ("fail", "wrongly_refused")),
        (REFUSED, None, ("not_applicable", "evidence_unknown")),
        ("It is open [d].", False, ("fail", "should_refuse")),
        ("It is open [d].", True, ("pass", "answered")),
        ("It is open [d].", None, ("pass", "answered")),
        ("It is open.", True, ("fail", "neither_cited_nor_refused")),
        ("It is open.", None, ("fail", "neither_cited_nor_refused")),
    ],
)
def test_a_refusal_is_right_where_nothing_answers(
    answer: str, evidence: bool | None, verdict: tuple[str, str]
) -> None:
    assert judge(answer, evidence) == verdict


@pytest.mark.parametrize(
    ("question", "answer", "refuses"),
    [
        (SOCKET, "Точная цена не указана. Уточнить её можно по телефону 200-30-40 [a].", True),
        (
            SOCKET,
            "Точная цена не указана. Работы ведут по прейскуранту [a], цену уточните в кабинете 12 [b].",
            True,
        ),
        (SOCKET, "Точная цена не указана. Это стоит 500 рублей, уточните по телефону 200-30-40 [a].", False),
        (
            SOCKET,
            "Точная цена не указана. Подключение розетки даром, уточните детали у электрика [a].",
            False,
        ),
        ("Куда звонить?", "Точный порядок не указан. Обратитесь в службу по телефону 200-30-40 [a].", False),
        ("How much is a socket?", "The exact price isn't stated. Please call the desk on 4400 [a].", True),
        ("How much is a socket?", "The exact price isn't stated. It is $20, call us to be sure [a].", False),
        ("Do I need a permit?", "The exact rules are not mentioned. You must ask the landlord [a].", False),
        ("Whom do I call?", "That is not mentioned exactly. Call the desk on 4400 [a].", False),
    ],
)
def test_telling_where_to_ask_answers_nothing_else(question: str, answer: str, refuses: bool) -> None:
    assert Refusals().refuses(answer, ("a", "b"), question) is refuses


@pytest.mark.parametrize(
    ("question", "answer", "refuses"),
    [
        (ICELAND, "I have nothing on Iceland. We deliver to Norway only [a].", True),
        (ICELAND, "Iceland isn't mentioned. We do deliver to all EU countries and to Norway [a].", True),
        (ICELAND, "Iceland isn't mentioned. We deliver to Iceland and Norway [a].", False),
        (ICELAND, "Iceland isn't mentioned. It is served from Norway [a].", False),
        (ICELAND, "Iceland isn't mentioned. We deliver in 5 days [a].", False),
        ("Доставляете ли вы в Исландию?", "Про Исландию не сказано. Мы доставляем в Норвегию [a].", True),
        ("Доставляете ли вы в Исландию?", "Про Исландию не сказано. Мы доставляем за 5 дней [a].", False),
    ],
)
def test_another_case_than_the_one_that_was_asked_about_is_told(
    question: str, answer: str, refuses: bool
) -> None:
    assert Refusals().refuses(answer, ("a", "b"), question) is refuses


@pytest.mark.parametrize(
    ("before", "refuses"),
    [
        ("Закажите справку в личном кабинете, раздел «Документы».", False),
        ("Закажите справку в личном кабинете; срок — до 3 дней.", False),
        ("Я изучил материалы по справке и личному кабинету.", True),
        ("К сожалению, помочь не смогу.", True),
        ("", True),
    ],
)
def test_an_answer_before_a_refusal_that_cites_for_both_is_one(before: str, refuses: bool) -> None:
    answer = f"{before} Отдельно про прошлый год в документе ничего не сказано [b]."
    assert Refusals().refuses(answer, ("a", "b"), "Как получить справку за прошлый год?") is refuses


def test_the_rubric_wins_over_the_evidence() -> None:
    assert judge(REFUSED, True, Rubric(expect_refusal=True)) == ("pass", "rightly_refused")


def test_without_any_context_there_is_no_answer() -> None:
    assert should_refuse(Case("q", "What?", ())) is True
    assert should_refuse(Case("q", "What?", CONTEXT)) is None


def test_no_citation_and_no_refusal_fails_both_rules() -> None:
    judged = Rules().judge(Case("q", "What?", CONTEXT), Answer("q", "It is open."))
    assert {one.rule for one in judged.verdicts if one.state == "fail"} >= {"citations", "refusal"}


def test_patterns_may_be_ones_own() -> None:
    rules = Rules(refusal_en=("ask somebody else",), refusal_ru=())
    case = Case("q", "What?", CONTEXT, evidence=False)
    reasons = [
        found.reason
        for text in ("Ask somebody else.", REFUSED)
        if (found := rules.judge(case, Answer("q", text)).verdict("refusal"))
    ]
    assert reasons == ["rightly_refused", "should_refuse"]


def test_a_pattern_that_is_none_is_told_with_its_key() -> None:
    with pytest.raises(ConfigError, match=r"rules\.refusal: '\(' is no pattern"):
        Rules(refusal_en=("(",))
