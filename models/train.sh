#!/bin/sh
# Train every model again: seeds are fixed, weights land in models/, data in $DATA. Hours on two cores.
#
#   PHOTOS  folder of licensed photographs (optional: without it, drawn tables alone)
#   STAMPS  the folder symbols/money of Tux Paint's stamps (optional: without it the net of reliefs is left as it is)
#   DECKS   folder of card sheets rendered as models/training/decks.py says (needed for cards, dice, figures and terrain)
#   ZERO_AD, UFO, ARENA  folders of free games' figures, unpacked as models/sculpt_figures.py says (optional, the first two
#           together: with them soldiers are sculptors' too)
#   BLENDER python with bpy (models/requirements-training.txt); without it the nets of figures and terrain are left as they are, and
#           coins are drawn alone
# shellcheck disable=SC2086 # $coins is two words, or none
set -eu
cd "$(dirname "$0")/.."
DATA=${DATA:-out/training}
PHOTOS=${PHOTOS:-../shared/photos}
DECKS=${DECKS:-out/decks}
VENV=${TRAINING_VENV:-.venv-training}
mkdir -p "$DATA/coins" "$DATA/pieces" "$DATA/solids"
[ -x "$VENV/bin/python" ] || "${PYTHON:-python3.11}" -m venv "$VENV"
"$VENV/bin/python" -m pip install --quiet -r models/requirements-training.txt
export PYTHONPATH=. OMP_NUM_THREADS=1
py="$VENV/bin/python"

coins=
if [ -n "${BLENDER:-}" ]; then
    "$BLENDER" -m models.render_coins --out "$DATA/minted" --count 94 --seed 600 --photos "$PHOTOS"
    "$BLENDER" -m models.render_coins --out "$DATA/minted" --count 72 --seed 610 --stacked 0.38 --photos "$PHOTOS"
    "$BLENDER" -m models.render_coins --out "$DATA/minted" --count 81 --seed 620 --stacked 0.3 --strangers 14 --photos "$PHOTOS"
    for seed in 630 640; do
        "$BLENDER" -m models.render_coins --out "$DATA/minted" --count 81 --seed "$seed" --stacked 0.4 --strangers 14 \
            --dots black white blue --photos "$PHOTOS"
    done
    coins="--rendered $DATA/minted"
fi
"$py" models/train_coins_data.py --data "$DATA/coins" --photos "$PHOTOS" $coins
"$py" models/train_coins_detector.py --data "$DATA/coins" --minutes 60
"$py" models/train_coins_classifier.py --data "$DATA/coins" --minutes 60
[ ! -d "${STAMPS:-}" ] || "$py" -m models.train_relief --data "$DATA/relief" --photos "$PHOTOS" --stamps "$STAMPS" --minutes 40
"$py" -m models.train_rims --data "$DATA/rims" --photos "$PHOTOS" $coins --minutes 40
"$py" -m models.train_lift --data "$DATA/lift" --photos "$PHOTOS" $coins --minutes 40
"$py" -m models.train_riders --data "$DATA/riders" --photos "$PHOTOS" $coins --minutes 40

if [ -d "$DECKS" ]; then
    for seed in 11 12 13 14 15 16 17 21 22; do
        "$py" -m models.train_pieces_data --decks "$DECKS" --photos "$PHOTOS" --out "$DATA/pieces/train$seed.npz" --tables 450 --seed "$seed"
    done
    "$py" -m models.train_pieces_data --decks "$DECKS" --photos "$PHOTOS" --out "$DATA/pieces/test.npz" --tables 240 --seed 901 --test
    [ ! -d "$PHOTOS" ] || "$py" -m models.train_pieces_photos --photos "$PHOTOS" --out "$DATA/pieces/train90.npz"
    "$py" -m models.train_pieces --data "$DATA/pieces" --minutes 90
    "$py" -m models.train_readers --data "$DATA/pieces" --photos "$PHOTOS" --minutes 40
    if [ -n "${BLENDER:-}" ]; then
        "$BLENDER" -m models.render_solids --out "$DATA/solids/rendered" --count 400 --seed 1
        "$BLENDER" -m models.render_solids --out "$DATA/solids/rendered" --count 130 --seed 191 --crowds 0.85
        "$BLENDER" -m models.render_solids --out "$DATA/solids/rendered" --count 150 --seed 263 --crowds 0.85 --pegs 0.75 --full 0.2
        if [ -n "${ZERO_AD:-}" ] && [ -n "${UFO:-}" ]; then
            "$py" -m models.sculpt_figures --out "$DATA/sculpts" --zero-ad "$ZERO_AD" --ufo "$UFO" ${ARENA:+--arena "$ARENA"}
            "$BLENDER" -m models.render_solids --out "$DATA/solids/rendered" --count 260 --seed 171 --sculpts "$DATA/sculpts" --crowds 1
            "$BLENDER" -m models.render_solids --out "$DATA/solids/rendered" --count 100 --seed 195 --sculpts "$DATA/sculpts" --crowds 1 --scenery 0.85
        fi
        for seed in 21 22; do
            "$py" -m models.train_solids_data --decks "$DECKS" --maps "$PHOTOS/maps_os250k_ogl" --photos "$PHOTOS" \
                --rendered "$DATA/solids/rendered" --out "$DATA/solids/train$seed.npz" --tables 700 --seed "$seed" \
                --boards 0.5 --coarsest 0.8
        done
        "$py" -m models.train_solids --data "$DATA/solids" --look terrain --minutes 150
        "$py" -m models.train_solids --data "$DATA/solids" --look figures --minutes 200 --resume "$DATA/solids/terrain.pt"
        "$py" -m models.train_facing --data "$DATA/solids" --minutes 60
        # With a GPU all three go on at once, on tables laid meanwhile: python -m models.train_solids_live
    fi
else
    echo "no card sheets in $DECKS: the nets for cards, dice, figures and terrain are left as they are" >&2
fi
