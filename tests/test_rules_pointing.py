"""What follows on a refusal: a claim, which makes an answer of it, or something near, which doesn't."""

from __future__ import annotations

import pytest

from rag_sweep.rules.pointing import only_points
from rag_sweep.rules.refusal import Refusals

PARKING, RU_PARKING = "How much is parking?", "Сколько стоит парковка?"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (PARKING, "I couldn't find the price of parking. It is free for members [x]."),
        (PARKING, "The documents do not state a parking fee. Members can use it for free [x]."),
        ("Are pets allowed?", "The documents don't mention pets. Small ones are usually welcome [x]."),
        ("When is the gym open?", "The gym's hours aren't given. The gym is open from 8 to 20 [x]."),
        (
            "Is breakfast included?",
            "No information about breakfast is available. In most rooms it's free [x].",
        ),
        ("Who is the officer?", "The text doesn't name the officer. She can be reached by e-mail [x]."),
        (RU_PARKING, "Стоимость парковки в документах не указана. Для сотрудников она бесплатна [x]."),
        (RU_PARKING, "В документах нет информации о парковке. Обычно она бесплатна [x]."),
        ("Как подключить VPN?", "Я не нашёл, как подключить VPN. Его настраивают через портал [x]."),
        ("Какой срок гарантии?", "Срок гарантии не указан. Гарантия действует два года [x]."),
    ],
)
def test_a_cited_claim_on_what_was_asked_makes_an_answer_of_it(question: str, answer: str) -> None:
    assert not Refusals().refuses(answer, ["x"], question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How long is paternity leave?",
            "I don't have information about paternity leave. The only leave mentioned is annual leave [x].",
        ),
        (
            "How do I reset my fingerprint?",
            "I couldn't find anything about fingerprints in the knowledge base. "
            "The article on passwords only covers reset links [x].",
        ),
        ("What is the fee?", "There is no mention of the fee. The text is limited to annual leave [x]."),
        ("Can I bring my dog?", "The documents don't mention dogs. They cover bicycles in the yard [x]."),
        ("What is the password?", "I don't have that information. I can tell you about VPN access [x]."),
        (
            "What is the limit on trains?",
            "The limit on trains isn't mentioned; for buses the limit is 20 kg [x].",
        ),
        (
            "Сколько стоит доставка в Казань?",
            "Информации о стоимости доставки в Казань нет. Известна только стоимость по Москве [x].",
        ),
        ("Можно ли с собакой?", "Про собак в правилах ничего не сказано. Правила касаются велосипедов [x]."),
        ("Когда столовая?", "О столовой данных нет. В материалах говорится лишь о перерыве [x]."),
        ("Как подключить VPN?", "Я не нашёл, как подключить VPN. Могу рассказать, как сменить пароль [x]."),
        (RU_PARKING, "Сведений о парковке нет. Велосипеды оставляют во дворе [x]."),
    ],
)
def test_pointing_to_something_near_leaves_it_a_refusal(question: str, answer: str) -> None:
    assert Refusals().refuses(answer, ["x"], question)


def test_a_question_for_several_things_may_be_answered_in_part() -> None:
    assert not only_points("When and where is it?", "the place isn't given", "it only says at noon")


def test_what_is_only_not_said_explicitly_may_be_answered() -> None:
    assert not only_points(PARKING, "parking isn't explicitly mentioned", "the yard is free")
