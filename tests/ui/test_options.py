"""Set-ups that no game can mean: each is refused with the file, the line and what to write instead."""

from __future__ import annotations

import pytest

from ui.setup.setup_file import read_setup

# Eight lines, a blank one, and the fault from line 10 on.
HEAD = """schema = "sandtable/setup/1"
game = "{game}"
[table]
size_mm = [700, 500]
[[player]]
name = "Ann"
colour = "red"
side = "near"

"""
MECH = '[rules.roster."Mech"]\nmove = 2\nrange = 3\noffense = 5\ndefense = 4\n'


def read(tmp_path, game, text):
    path = tmp_path / "setup.toml"
    path.write_text(HEAD.format(game=game) + text)
    return read_setup(path).rules


@pytest.mark.parametrize(
    ("game", "text", "line", "told"),
    [
        ("omms", '[legend]\neur-10c = "scoot"\n', 11, "legend.eur-10c: no coin plays a 'scoot'; choose one of"),
        ("omms", '[rules]\nusable_roads = ["a", "z"]\n', 11, "rules.usable_roads: a list of some of motorway"),
        ("omms", "[rules]\nusable_roads = []\n", 11, "rules.usable_roads: the list is empty; name some of motorway"),
        ("omms", "[rules]\nusable_roads = [[1]]\n", 11, "rules.usable_roads: a list of some of motorway"),
        ("omms", "[rules]\nwin_points = inf\n", 11, "rules.win_points: a whole number is wanted, not inf"),
        ("omms", "[rules]\n# a note\nwin_bases = 1.5\n", 12, "rules.win_bases: a whole number is wanted, not 1.5"),
        ("omms", "[rules]\nwin_points = -3\n", 11, "rules.win_points: a number of 1 or more is wanted, not -3"),
        ("omms", "[rules]\nwin_bases = 0\n", 11, "rules.win_bases: a number of 1 or more is wanted, not 0"),
        ("omms", '[legend]\n"gbp-5pp" = "scout"\n', 11, "legend.gbp-5pp: there is no such coin to play a scout"),
        (
            "omms",
            '[legend]\nlamp = "house"\n',
            11,
            "legend.lamp: there is no such coin to play a house; write one such",
        ),
        ("osmcg", '[legend]\nmugg = "blocking"\n', 11, "legend.mugg: there is no such thing; write one of mug"),
        (
            "osmcg",
            "[rules.roster.a]\nhp = true\n",
            11,
            "rules.roster.a.hp: should be a number, a word or a list, not true",
        ),
        ("omog", '[legend]\nbox = "jelly"\n', 11, "legend.box: OMOG has no ground 'jelly'; choose one of house"),
        ("omog", '[legend]\nmugg = "wood"\n', 11, "legend.mugg: there is no such thing; write one of mug, plate"),
        ("omog", '[legend]\nMug = "wood"\n', 11, "legend.Mug: there is no such thing; write one of mug, plate"),
        ("omog", '[legend]\n"white papper" = "road"\n', 11, "legend.white papper: there is no such thing; write one"),
        ("omog", '[legend]\n"whit paper" = "road"\n', 11, "legend.whit paper: there is no colour 'whit'; write one"),
        ("omniwar", '[legend]\n"redd gbp-5p" = "Tank"\n', 11, "legend.redd gbp-5p: there is no colour 'redd'; write"),
        ("omniwar", '[legend]\n"Ann gbp-5p" = "Tank"\n', 11, "legend.Ann gbp-5p: there is no colour 'Ann'; write"),
        ("omniwar", '[legend]\n"red gbp-5pp" = "Tank"\n', 11, "legend.red gbp-5pp: there is no coin 'gbp-5pp'"),
        ("omniwar", MECH.replace("3", '"3"'), 12, "rules.roster.Mech.range: should be a number, not '3'"),
        (
            "omniwar",
            MECH.replace("5", "-1"),
            13,
            "rules.roster.Mech.offense: input should be greater than or equal to 0",
        ),
        ("omog", '[legend]\nx = "wood"\n"green plate" = ""\n', 12, "legend.green plate: OMOG has no ground ''"),
        ("omog", "[rules]\ngun_push_in = [4, 4, 3]\n", 11, "rules.gun_push_in: write four inches of 0 or more"),
        ("omog", "[rules]\ngun_push_in = [4, 4, 3, nan]\n", 11, "rules.gun_push_in: write four inches"),
        ("omog", '[rules]\ngun_push_in = "far"\n', 11, "rules.gun_push_in: write four inches"),
        ("osmcg", '[legend]\nnapkin = "soft"\n', 11, "legend.napkin: 'soft' is none of blocking, traversable"),
        ("osmcg", "[rules]\nroster = 5\n", 11, "rules.roster: write each card as [rules.roster.NAME]"),
        ("osmcg", "[rules.roster]\narcher = 5\n", 11, "rules.roster.archer: write the card as [rules.roster.archer]"),
        ("osmcg", "[rules.roster.a]\nhp = 1\n[rules.roster.b]\nhp = -1\n", 13, "rules.roster.b.hp: input should be"),
        ("osmcg", "[rules.roster.archer]\nspeed = 5\n", 11, "rules.roster.archer.speed: no card has this"),
        ("osmcg", '[rules.roster.a]\nkeywords = ["Aura(x)"]\n', 11, "rules.roster.a.keywords: Aura(x) needs a number"),
        ("osmcg", "[rules]\ndeploy_radius_mm = nan\n", 11, "rules.deploy_radius_mm: nan must be a radius in mm"),
        ("pocket", '[legend]\nhearts = "hill"\nspades = "bog"\n', 12, "legend.spades: there is no ground 'bog'"),
        ("pocket", '[legend]\nKS = "x"\n', 11, "legend.KS: there is no ground 'x'; choose one of open"),
        ("pocket", '[legend]\nspadez = "hill"\n', 11, "legend.spadez: there is no such suit or card; write clubs"),
        ("omniwar", '[legend]\nbox = "jelly"\n', 11, "legend.box: no terrain 'jelly'; choose open, dense"),
        ("omniwar", '[legend]\ngbp-2p = "Tnak"\n', 11, "legend.gbp-2p: neither a unit nor terrain is called 'Tnak'"),
        (
            "omniwar",
            MECH.replace("range = 3\n", "") + MECH.replace("Mech", "Bot"),
            10,
            "rules.roster.Mech.range: field",
        ),
        ("omniwar", MECH + 'abilities = ["Flier"]\n', 15, "rules.roster.Mech.abilities: there is no ability 'Flier'"),
        ("omniwar", MECH + "speed = 3\n", 15, "rules.roster.Mech.speed: no such key: take it out"),
        ("omniwar", "[rules.roster]\nMech = 5\n", 11, "rules.roster.Mech: should be a table of keys"),
        (
            "omms",
            "[rules]\nroads = 1\n",
            11,
            "rules.roads: omms has no such house rule; it has card, draw, offroad_gap",
        ),
        ("omms", "[rules]\ncard = [63.5, 88.9]\n", 11, "rules.card: the length comes first: write [88.9, 63.5], not"),
        ("omog", "[rules.roster.rifleman]\nmove = 5\n", 10, "rules.roster: omog has no such house rule"),
    ],
)
def test_a_fault_names_file_line_and_remedy(tmp_path, game, text, line, told):
    with pytest.raises(ValueError) as fault:
        read(tmp_path, game, text)
    assert str(fault.value).startswith(f"{tmp_path / 'setup.toml'}:{line}: {told}")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("game", ["omms", "omog", "osmcg", "pocket", "omniwar"])
def test_what_a_person_taught_may_stand_for_a_class_in_every_game(tmp_path, game):
    assert read(tmp_path, game, '[legend]\nmy-5p = "gbp-5p"\nogre = "base"\n').legend["my-5p"] == "gbp-5p"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("omms", '[legend]\nmug = "house"\neur-10c = "scout"\n'),
        ("omog", '[legend]\nt7 = "house"\n"green plate" = "Swamp"\n[rules]\ngun_push_in = [4, 4, 0, 3.5]\n'),
        (
            "omog",
            '[legend]\nmill = "house"\nmug1 = "wood"\nmy-hut = "wood"\n"old mill" = "house"\n"brown box" = "wood"\n',
        ),
        ("omniwar", '[legend]\nc7 = "Tank"\n"red ogre" = "Tank"\nplace = "dense"\n"blue gbp-5p" = "Tank"\n'),
        ("osmcg", '[rules.roster.archer]\nname = "A"\nspd_in = 4\nkeywords = "Ranged(3, 12)"\n'),
        ("pocket", '[legend]\nspades-court = "lake"\nJOKER = "hills"\n10H = "open"\nmug = "house"\n'),
        ("omniwar", MECH + 'abilities = ["vehicle", "+1 Move", "flying"]\n'),
    ],
)
def test_good_options_are_taken(tmp_path, game, text):
    assert read(tmp_path, game, text).game == game
