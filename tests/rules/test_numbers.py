"""Every number of the rule notes that is a plain table entry, written out once more from the notes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.dice import odds
from rules.games.omms import coins, economy, settle, strength
from rules.games.omniwar.roster import packaged_roster
from rules.games.omog.tables import tables as omog_tables
from rules.games.osmcg.tables import tables as osmcg_tables
from rules.games.pocket.tables import ground_of, tables, troops
from rules.scene import COIN_DIAMETER_MM
from rules.setup import CARD_SIZE_MM, Setup

# C2: class and diameter in mm.
DIAMETERS = """
gbp-1p 20.3 gbp-2p 25.9 gbp-5p 18.0 gbp-10p 24.5 gbp-20p 21.4 gbp-50p 27.3 gbp-1 23.43 gbp-2 28.4
eur-1c 16.25 eur-2c 18.75 eur-5c 21.25 eur-10c 19.75 eur-20c 22.25 eur-50c 24.25 eur-1 23.25 eur-2 25.75
usd-1c 19.05 usd-5c 21.21 usd-10c 17.91 usd-25c 24.26 usd-50c 30.61 usd-1 26.49 usd-1-silver 38.1
"""


def test_coins_and_cards() -> None:
    words = DIAMETERS.split()
    told = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    assert {cls: COIN_DIAMETER_MM[cls] for cls in told} == told
    assert CARD_SIZE_MM == {"poker": (88.9, 63.5), "bridge": (88.9, 57.15)}


def test_omms_strengths_points_and_gaps() -> None:
    attack_and_defence = {role: (strength.ATTACK[role], strength.DEFENCE[role]) for role in coins.UNITS}
    assert attack_and_defence == {"scout": (1, 1), "guard": (1, 2), "invader": (2, 1), "ship": (1, 1), "tank": (3, 2)}
    assert (strength.WALLS["settlement"], strength.WALLS["fortification"], strength.MOST_ATTACK_DICE) == (1, 2, 4)
    assert (coins.POINTS["settlement"], coins.POINTS["fortification"], settle.GAP_MM) == (1, 2, 24.5)
    vectors = {0: 15, 5: 15, 6: 14, 7: 13, 8: 12, 13: 7, 14: 6, 20: 6}
    assert {points: economy.creation_total(points) for points in vectors} == vectors
    assert economy.START_FOOD == 3


@pytest.mark.parametrize(
    ("dice", "win", "tie"),
    [
        ((1, 1), "5/12", "1/6"),
        ((1, 2), "55/216", "1/6"),
        ((2, 1), "125/216", "1/6"),
        ((2, 2), "505/1296", "143/648"),
        ((3, 2), "3667/7776", "107/432"),
        ((4, 4), "529069/1679616", "310739/839808"),
    ],
)
def test_omms_odds(dice: tuple[int, int], win: str, tie: str) -> None:
    found = odds(*dice)
    assert (found.win, found.tie) == (Fraction(win), Fraction(tie))
    assert found.win + found.tie + found.lose == 1


def test_osmcg_boards_lengths_and_structures() -> None:
    known, far = osmcg_tables(), osmcg_tables().distance
    assert {name: mode.sides_in for name, mode in known.mode.items()} == {"duel": (24,), "moba": (48,), "ffa": (36, 48)}
    assert (far.inch_mm, far.deployment_in, far.summon_in, far.stealth_in, far.objective_in) == (25.4, 6, 2, 4, 2)
    assert far.touch_mm == 1
    assert (known.mode["moba"].hp, known.mode["moba"].nexus_hp, known.mode["ffa"].hp) == ((15, 8), 30, (8, 8))
    assert (known.cost.move, known.cost.disengage, known.mode["duel"].win_vp) == (1, 1, 10)


def test_osmcg_missions() -> None:
    missions = {name: (card.at_least, card.vp) for name, card in osmcg_tables().mission.items()}
    assert missions == {
        "First Blood": (1, 1), "Hold the Line": (1, 1), "Show of Force": (10, 1), "Slaughter": (3, 2),
        "Invasion": (3, 2), "Stranglehold": (2, 2), "Seize Ground": (3, 3), "Headhunter": (8, 3), "Regicide": (1, 3),
        "Attrition": (5, 3),
    }  # fmt: skip


def test_omog_allowances_and_weapons() -> None:
    """OMOG-2 and 3.1: road, open, up hill on road, up hill, swamp, ford, wood, climb."""
    rows = {arm: tuple(row.model_dump().values()) for arm, row in omog_tables().allowance.items()}
    assert rows == {
        "foot": (6, 4, 4, 3, 2, 2, 2, 2), "mounted": (12, 6, 8, 4, 3, 3, 3, 3), "gun": (4, 4, 3, 3, 0, 0, 2, 0),
    }  # fmt: skip
    bands = {name: weapon.bands for name, weapon in omog_tables().weapon.items()}
    assert bands == {"rifle": ((6, 3), (12, 4), (18, 5)), "pistol": ((3, 4), (6, 6)), "none": ()}


def test_omog_modifiers_saves_and_bonuses() -> None:
    """OMOG-3.2, 4.3 and 5.1; three on one the second has 2 and the third removes without a die."""
    assert omog_tables().modifier.model_dump() == {
        "wood": -1, "house": -2, "low_wall": -1, "high_wall": -2, "crest": -1, "leaning": -1, "mounted_moved": -1,
        "above": 1,
    }  # fmt: skip
    assert omog_tables().save == {"house": 3, "wall": 4, "wood": 5, "wooden wall": 5, "tree": 5}
    assert omog_tables().bonus.model_dump() == {
        "mounted_v_foot": 1, "heavy_charging_foot": 2, "lancer_charging_cavalry": 1, "heavy_charging_light": 1,
        "bayonet": 1, "bayonet_charge": 1, "elite": 1, "against_armour": -1, "two_on_one": 1, "third_of_three": 2,
    }  # fmt: skip


def test_omog_lengths_gun_and_turn() -> None:
    """OMOG-1.3, 2.4, 2.6, 3.3, 3.4, 4, 5 and 6."""
    far, gun, turn = omog_tables().distance, omog_tables().gun, omog_tables().turn
    assert (far.cohesion_in, far.crest_in, far.wall_cover_in, far.low_wall_mm, far.wood_depth_in) == (3, 1, 1, 25, 2)
    assert (far.touch_mm, far.cavalry_charge_in, far.bayonet_charge_in) == (3, 4, 2)
    assert (gun.shell_from_in, gun.shell_to_in, gun.burst_in, gun.canister_in, gun.canister_base_in) == (6, 24, 3, 6, 2)
    assert (gun.drift_side_in, gun.drift_beyond_in, gun.shells, gun.canister) == (3, 3.5, 3, 1)
    assert (gun.crew_in, gun.push_crew, gun.fire_crew, gun.full_fire_crew) == (3, 3, 2, 3)
    assert (turn.men_per_square_foot, turn.mounting_share, turn.clock_s, turn.hold_turns) == (1, 0.5, 120, 3)


def test_pocket_units_of_three_currencies() -> None:
    kinds = {
        "light-infantry": "gbp-1p eur-1c usd-1c",
        "heavy-infantry": "gbp-2p eur-10c usd-5c",
        "light-cavalry": "gbp-5p eur-2c usd-10c",
        "heavy-cavalry": "gbp-10p eur-20c usd-25c",
        "light-missile": "gbp-20p eur-5c usd-50c",
        "heavy-missile": "gbp-50p eur-50c usd-1-silver",
        "special": "gbp-1 gbp-2 eur-1 eur-2 usd-1",
    }
    assert {coin: troop.name for coin, troop in troops().items()} == {
        coin: kind for kind, told in kinds.items() for coin in told.split()
    }
    ranges = {name: troop.range for name, troop in tables().unit.items() if troop.range}
    assert ranges == {"light-missile": 1, "heavy-missile": 2}


@pytest.mark.parametrize(
    ("terrain", "grounds"),
    [
        ("normal", "woodland hill open rough rough"),
        ("steppes", "open hill open rough rough"),
        ("wetland", "woodland hill open swamp lake"),
        ("mountainous", "woodland hill open mountain mountain"),
    ],
)
def test_pocket_grounds_of_clubs_diamonds_hearts_spades_and_the_spades_court(terrain: str, grounds: str) -> None:
    setup = Setup("pocket", house={"terrain": terrain})
    assert " ".join(ground_of(card, setup).name for card in ("5C", "5D", "5H", "5S", "QS")) == grounds


def test_omniwar_units_and_abilities() -> None:
    units = {
        "Army squad": (1, 2, 4, 0, 5), "Machine gun": (1, 3, 4, 0, 9), "Scout team": (1, 2, 4, 0, 7),
        "Mortar crew": (1, 7, 3, -1, 11), "Tank": (2, 6, 6, 3, 46), "Transport": (2, 3, 4, 2, 15),
        "Hover tank": (3, 4, 6, 3, 46), "Medieval infantry": (1, 0, 3, 0, 2), "Medieval archers": (1, 2, 3, 0, 3),
        "Medieval knights": (2, 0, 4, 1, 6),
    }  # fmt: skip
    roster = packaged_roster()
    assert {n: (u.move, u.range, u.offense, u.defense, u.points) for n, u in roster.unit.items()} == units
    percents = {
        75: ["Teleport"], 50: ["Drop troops", "Scout", "Area", "Indirect", "Extra attack", "+1 Offense", "+1 Defense"],
        25: ["+1 Move", "+1 Range", "Transport", "Flyer", "One card", "Submersible"], 10: ["Amphibious"],
        0: ["Formation"], -25: ["-1 Move", "-1 Range"],
        -50: ["-1 Offense", "-1 Defense", "Limited turning", "Water bound", "Move or fire"],
    }  # fmt: skip
    assert {name: ability.percent for name, ability in roster.ability.items()} == {
        name: percent for percent, names in percents.items() for name in names
    }
