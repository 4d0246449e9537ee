"""Function words of languages with a stemmer: articles, pronouns, prepositions, conjunctions, auxiliaries.

The lists are short on purpose. Published lists have a thousand words or more, among them "home", "information", "page"
and "contact". Templates are made of these words, so they must stay features.
"""

from __future__ import annotations

from functools import cache

_WORDS = {
    "en": """a about after all also am an and any are as at be been before being between both but by can could did do
        does doing down during each few for from further had has have having he her here hers him his how i if in
        into is it its just me more most my no nor not of off on once only or other our out over own s same she
        should so some such t than that the their them then there these they this those through to too under until
        up very was we were what when where which while who whom why will with would you your""",
    "de": """aber alle als also am an auch auf aus bei bin bis da damit dann das dass dem den der des die dies diese
        diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es für hat hatte hatten ich
        ihr ihre im in ist kann kein keine man mehr mit nach nicht noch nun nur ob oder ohne sein seine sich sie
        sind so über um und uns unter vom von vor war waren was wenn wer werden wie wir wird wo zu zum zur""",
    "fr": """a au aux avec c ce ces cet cette comme d dans de des du elle elles en est et eu il ils j je l la le les
        leur leurs lui m ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas plus pour qu que qui
        s sa sans se ses si son sont sur ta te tes ton tu un une vos votre vous y à été être""",
    "es": """a al algo ante antes como con contra cual cuando de del desde donde durante e el ella ellas ellos en entre
        era es esa ese eso esta este esto está están fue ha han hasta hay la las le les lo los me mi muy más no
        nos o os para pero por porque que quien se ser si sido sin sobre son su sus también te tiene tu un una
        unas uno unos y ya yo él""",
    "it": """a ad ai al alla alle allo anche che chi ci come con cui da dai dal dalla dalle degli dei del della delle
        dello di e ed era gli ha hanno ho i il in io l la le lei lo loro lui ma mi mia mio ne nei nel nella nelle
        noi non o per perché più quale quando quella quello questa questo se sei si sia sono su sua sue sui sul
        sulla suo suoi tra un una uno vi voi è""",
    "pt": """a ao aos aquela aquele as até com como da das de dela dele delas deles depois do dos e ela elas ele eles
        em entre era essa esse esta este eu foi foram há isso isto já lhe lhes mais mas me mesmo meu minha muito
        na nas nem no nos nossa nosso não o os ou para pela pelas pelo pelos por qual quando que quem se sem ser
        seu seus sua suas são só também te tem um uma você à às é""",
    "nl": """aan al alles als ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had heb
        hebben heeft hem het hier hij hoe hun iets ik in is ja je kan kon maar me meer men met mij mijn na naar
        niet nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor want
        waren was wat werd wezen wie wil worden wordt zal ze zich zij zijn zo zonder zou""",
    "sv": """alla att av blev bli blir de dem den denna deras dess det detta dig din du där då efter ej eller en er ett
        från för ha hade han hans har henne hennes hon honom hur här i icke ingen inom inte jag ju kan kunde man
        med mellan men mig min mot mycket ni nu när någon något några och om oss på samma sedan sig sin sina som
        så till under upp ut utan vad var vara varför vi vid vilken är""",
    "no": """alle at av begge ble bli blir da de deg dem den denne der deres det dette din disse du eller en er et
        etter for fordi fra før ha hadde han hans har henne hennes her hun hva hvem hver hvor hvordan hvorfor i
        ikke ingen inn jeg kan kom kunne man mange med meg mellom men min mot mye ned noe noen nå når og også om
        opp oss over på seg selv si sin skal skulle slik som så til under ut uten var ved vi vil ville vår være
        vært""",
    "da": """ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du
        efter eller en end er et for fra ham han hans har havde have hende hendes her hos hun hvad hvis hvor i
        ikke ind jeg jo kunne man mange med meget men mig min mod ned noget nogle nu når og også om op os over på
        selv sig sin skal skulle som sådan thi til ud under var vi vil ville vor være været""",
    "fi": """ei eivät emme en et ette että he heidän hän hänen ja joka jonka jos jossa jotka kanssa koska kuin kuka kun
        me meidän mikä minä minun missä mitä mukaan mutta myös ne niiden niin noin nyt ole olemme olen olet oli
        olivat olla on ovat se sekä sen siellä siitä sinä sitä tai te tämä tämän tässä tätä vaan vaikka vain voi""",
    "ru": """а без бы был была были было быть в вам вас весь во вот все всего всех вы где да для до его ее её ей ему
        если есть еще ещё же за здесь и из или им их к как какая ко когда который которая которые кто ли либо
        между меня мне может мы на над надо наш не него нее нет ни них но ну о об однако он она они оно от очень
        по под при с со так также такой там те тем то того тоже той только том ты у уже хотя чего чем что чтобы
        чье чья эта эти это я""",
    "pl": """a albo ale ani aby bardzo bez był była było były być bo by ci co czy dla do gdy gdzie go i ich ile im ja
        jak jako je jednak jego jej jemu jest jeszcze jeśli już kiedy kto która które który lub ma mi mnie może my
        na nad nam nas nasz nawet nie nim niż o od on ona one oni oraz po pod przed przez przy są się swoje ta tak
        także tam te tego tej ten to tu tych tylko tym u w we wy z za ze że żeby""",
    "el": """αλλά αν από αυτά αυτές αυτή αυτό αυτοί αυτός για δε δεν είναι εκείνο ένα έναν ένας έχει έχουν ή η ήταν θα
        και κατά κι μας με μετά μη μην μια μία μου να ο οι όμως όπως ότι όταν ότι ούτε παρά που πριν προς πως πώς
        σας σε στα στη στην στις στο στον στους σου τα τη την της τι τις το τον του τους τότε των ως""",
    "ro": """a acea aceasta această aceste acest acesta acum ai al ale am ar are as asta au avea ca că care ce cea cei
        cel cele cu cum da dar de deci din după ea ei el ele era este eu fi fie fost iar îi îl în între la le lor
        lui mai mea mi ne nici noi nu o or pe pentru prin sa să sale sau se si și sunt sub te tot un una unde unei
        unui va vă vor""",
    "hu": """a ahol aki akkor alatt az azok azt azzal be benne csak de e egy ebben eddig egyéb ehhez el ellen előtt én
        és ez ezek ezen ezért ezt fel ha hanem hogy hogyan ide ill ilyen is itt ki kell kívül le lehet lesz ma már
        még meg mert mi mint mit most nagyon nem nincs ők ön össze pedig s saját se sem sok számára szerint te
        tehát úgy után vagy van vannak volt""",
    "cs": """a aby aj ale ani asi až bez bude by byl byla byli bylo být co což či do ho i já jak jako je jeho její
        jejich jen ještě ji jiné již jsem jsme jsou k kde kdo kdy když která které který kteří ku ma mě mezi mi
        mít na nad nám náš ne nebo není než o od on ona oni ono pak po pod podle pro proto protože před přes při s
        se si své svůj ta tak také tato te tedy ten této tím to toho tom tomu tu ty u už v ve však vy z za ze že""",
    "tr": """acaba ama ancak bana bazı belki ben beni benim bir biri biz bu buna bunda bunlar bunu bunun çok çünkü da
        daha de değil diye en eğer gibi hem hep hepsi her hiç için ile ise kadar ki kim mi mu mı nasıl ne neden
        nerede niye o olan olarak oldu olduğu olur on ona onlar onu onun sanki sen siz şu tarafından tüm var ve
        veya ya yani yok şey şimdi""",
}

# Names of Snowball algorithms.
STEMMERS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "sv": "swedish",
    "no": "norwegian",
    "da": "danish",
    "fi": "finnish",
    "ru": "russian",
    "pl": "polish",
    "el": "greek",
    "ro": "romanian",
    "hu": "hungarian",
    "cs": "czech",
    "tr": "turkish",
}

_SAME_LANGUAGE = {"nb": "no", "nn": "no"}


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, given as two-letter code; none for a language without a list.

    >>> "the" in stop_words("en"), stop_words("ja")
    (True, frozenset())
    """
    return frozenset(_WORDS.get(_SAME_LANGUAGE.get(language, language), "").split())


def stemmer_name(language: str) -> str | None:
    """Return the name of the Snowball algorithm for a two-letter language code, if there is one."""
    return STEMMERS.get(_SAME_LANGUAGE.get(language, language))


def listed_languages() -> tuple[str, ...]:
    return tuple(_WORDS)
