"""Short forms of first names and the full ones that they stand for, so that both are one person."""

from __future__ import annotations

from functools import cache

from rag_sweep.answers.masking.names_ru import forms

_RUSSIAN = """
александр саша сашка саня шура шурик сашенька; алексей алеша леша лешка алешка; анастасия настя настена
настенька; анна аня анечка анюта анька; антон антоша; аркадий аркаша; борис боря бориска; вадим вадик;
валентина валя; валерий валера валерка; варвара варя; василий вася васька; виктор витя витька; виктория
вика; владимир вова володя вовка; галина галя; геннадий гена геша; георгий жора гоша; григорий гриша
гришка; дарья даша дашка; даниил даня данила данька; денис дениска; дмитрий дима митя димка димон;
евгений женя женька; егор егорка; екатерина катя катюша катька; елена лена леночка ленка; елизавета
лиза; зинаида зина; иван ваня ванька; илья ильюша; ирина ира ириша ирка; кирилл кирюша; константин костя
костик; ксения ксюша; лариса лара; леонид леня; любовь люба; людмила люда люся мила; максим макс;
маргарита рита; мария маша маруся машенька маняша; михаил миша мишка; надежда надя надюша; наталья
наташа наталия наташка ната; николай коля колька; олег олежка; ольга оля олечка; павел паша пашка; петр
петя петька; полина поля полинка; раиса рая раечка; роман рома ромка; светлана света светик; семен сеня
сема; сергей сережа серега; софия соня софья сонечка; станислав стас стасик; степан степа; таисия тая;
тамара томочка; татьяна таня танюша танюха; тимофей тима; федор федя; филипп филя; эдуард эдик; юлия юля
юлечка; юрий юра юрка; яков яша
"""
_ENGLISH = """
alexander alex; andrew andy drew; anthony tony; barbara barb babs; benjamin ben benny; catherine
katherine kate katie kathy cathy cath; charles charlie chuck; christopher chris; daniel dan danny; david
dave davy; deborah debbie deb; donald don; edward ed eddie ted; elizabeth liz beth betty lizzie eliza;
frances fran; francis frank; frederick fred freddie; gregory greg; james jim jimmy jamie; jacob jake;
jennifer jen jenny jenn; joseph joe joey; joshua josh; kenneth ken kenny; lawrence larry; margaret
maggie meg peggy; matthew matt; michael mike mick micky mickey; nathaniel nate nathan; nicholas nick
nicky; patricia pat patty tricia; peter pete; philip phil; raymond ray; rebecca becky; richard rick dick
rich; robert bob rob bobby robbie; ronald ron ronnie; samuel sam sammy; stephen steve; steven; susan sue
susie; terence terry; thomas tom tommy; timothy tim; victoria vicky vicki; vincent vince; walter walt;
william bill will billy; zachary zach zack
"""


@cache
def _full() -> dict[str, str]:
    groups = [group.split() for group in (_RUSSIAN + ";" + _ENGLISH).split(";")]
    found: dict[str, str] = {}
    for group in groups:
        for name in group:
            for form in forms(name) if "а" <= name[0] <= "я" else [name]:
                found.setdefault(form, group[0])
    return found


def full_name(own: str) -> str:
    """Мария for Маши, James for Jim; any other word as it is."""
    return _full().get(own, own)
