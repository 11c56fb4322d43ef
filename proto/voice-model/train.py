"""Trains the speaker model that voice messages are altered with, and writes it as JSON.

    python train.py LIBRISPEECH/train-clean-100 LIBRISPEECH/SPEAKERS.TXT ../src/voice/speaker-model.json

The model has three parts: a mixture of Gaussians over cepstra of speech whose vocal tract length and long-term mean
are removed, which tells how long a tract is (Lee and Rose, "A frequency warping approach to speaker normalization",
IEEE Transactions on Speech and Audio Processing 6 (1998), 49-60); the mean tract of men and women; and how the
long-term mean varies between speakers. The definitions of envelope and cepstrum must equal those in ../src/voice.
"""

import json
import sys
from pathlib import Path

import numpy as np
import soundfile

RATE, FRAME, STEP = 16_000, 512, 256
ORDER, LAG_WINDOW_HZ = 20, 40
BANDS, CEPSTRA, CLASSES = 40, 24, 64
LEVEL = 0.06
SPEECH_BELOW_LOUD = 10**-3.2
SECONDS_PER_SPEAKER = 20

WARPS = np.round(np.arange(0.84, 1.181, 0.02), 2)
FIRST_WARP = {"M": 0.94, "F": 1.06}
WARP_ROUNDS = 3
SAMPLED_FRAMES = 60_000
# Keeps a class from shrinking onto a few frames.
VARIANCE_FLOOR = 0.02

bins = np.arange(FRAME // 2 + 1) * RATE / FRAME


def to_mel(hertz):
    return 2595 * np.log10(1 + hertz / 700)


def from_mel(mel):
    return 700 * (10 ** (mel / 2595) - 1)


band_centres = from_mel((np.arange(BANDS) + 0.5) / BANDS * to_mel(RATE / 2))
cosines = np.cos(np.pi / BANDS * np.outer(np.arange(1, CEPSTRA + 1), np.arange(BANDS) + 0.5)) * 2 / BANDS


def log_envelopes(samples):
    """Log power envelopes of the speech frames, by linear prediction (Makhoul 1975)."""
    samples = samples / np.sqrt(np.mean(samples**2)) * LEVEL
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::STEP] * window
    lags = np.arange(ORDER + 1)
    correlation = np.fft.irfft(np.abs(np.fft.rfft(frames, 2 * FRAME)) ** 2)[:, : ORDER + 1]
    frames = correlation[:, 0] > np.percentile(correlation[:, 0], 95) * SPEECH_BELOW_LOUD
    correlation = correlation[frames] * np.exp(-0.5 * (2 * np.pi * LAG_WINDOW_HZ / RATE * lags) ** 2)
    error = correlation[:, 0] = correlation[:, 0] * (1 + 1e-5) + 1e-7
    predictor = np.zeros_like(correlation)
    predictor[:, 0] = 1
    for step in range(1, ORDER + 1):
        reflection = -(predictor[:, :step] * correlation[:, step:0:-1]).sum(1) / error
        predictor[:, 1 : step + 1] = predictor[:, 1 : step + 1] + reflection[:, None] * predictor[:, step - 1 :: -1][:, :step]
        error = error * (1 - reflection**2)
    return np.log(error[:, None] / np.maximum(np.abs(np.fft.rfft(predictor, FRAME)) ** 2, 1e-9)).astype(np.float32)


def cepstrum_matrix(warp):
    """Matrix from an envelope to the cepstrum of the envelope read at warped frequencies."""
    place = np.clip(band_centres * warp / (RATE / FRAME), 0, FRAME // 2)
    below = np.minimum(place.astype(int), FRAME // 2 - 1)
    reading = np.zeros((len(bins), BANDS))
    reading[below, np.arange(BANDS)] = 1 - (place - below)
    reading[below + 1, np.arange(BANDS)] = place - below
    return (reading @ cosines.T).astype(np.float32)


matrices = {warp: cepstrum_matrix(warp) for warp in WARPS}


class Mixture:
    """A mixture of Gaussians with diagonal covariances, trained by expectation maximisation (Dempster et al. 1977)."""

    def __init__(self, cepstra, random):
        means = cepstra[random.permutation(len(cepstra))[:CLASSES]]
        for _ in range(6):  # Lloyd's algorithm gives the starting point.
            distances = (means**2).sum(1) - 2 * cepstra @ means.T
            nearest = distances.argmin(1)
            means = np.array([cepstra[nearest == k].mean(0) if (nearest == k).any() else means[k] for k in range(CLASSES)])
        self.weights = np.full(CLASSES, 1 / CLASSES)
        self.means = means
        self.variances = np.tile(cepstra.var(0), (CLASSES, 1))

    def log_likelihoods(self, cepstra):
        """Joint log likelihood of each frame and class."""
        constants = np.log(self.weights) - 0.5 * (np.log(2 * np.pi * self.variances) + self.means**2 / self.variances).sum(1)
        return constants + cepstra @ (self.means / self.variances).T - 0.5 * cepstra**2 @ (1 / self.variances).T

    def score(self, cepstra):
        """Mean log likelihood of a frame."""
        return np.logaddexp.reduce(self.log_likelihoods(cepstra), axis=1).mean()

    def fit(self, cepstra, rounds):
        floor = cepstra.var(0) * VARIANCE_FLOOR
        for _ in range(rounds):
            count, first, second = np.full(CLASSES, 1e-3), 0, 0
            for part in np.array_split(cepstra, max(1, len(cepstra) // 20_000)):
                joint = self.log_likelihoods(part)
                posterior = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])
                count = count + posterior.sum(0)
                first = first + posterior.T @ part
                second = second + posterior.T @ part**2
            self.weights = count / count.sum()
            self.means = first / count[:, None]
            self.variances = np.maximum(second / count[:, None] - self.means**2, floor)


def centred(envelopes, warp):
    cepstra = envelopes @ matrices[warp]
    mean = cepstra.mean(0)
    return cepstra - mean, mean


def read_speakers(corpus, list_of_speakers):
    """Envelopes and sex of each speaker, from the first seconds of the first files."""
    sexes = {}
    for line in list_of_speakers.read_text().splitlines():
        if line and not line.startswith(";"):
            name, sex = (field.strip() for field in line.split("|")[:2])
            sexes[name] = sex
    speakers = []
    for folder in sorted(path for path in corpus.iterdir() if path.name in sexes):
        samples = np.zeros(0)
        for file in sorted([*folder.rglob("*.flac"), *folder.rglob("*.wav")]):
            if len(samples) < SECONDS_PER_SPEAKER * RATE:
                samples = np.concatenate([samples, soundfile.read(file)[0]])
        speakers.append((log_envelopes(samples[: SECONDS_PER_SPEAKER * RATE]), sexes[folder.name]))
    return speakers


def main():
    corpus, list_of_speakers, output = map(Path, sys.argv[1:])
    random = np.random.default_rng(1)
    speakers = read_speakers(corpus, list_of_speakers)
    sexes = np.array([sex for _, sex in speakers])
    warps = [WARPS[np.abs(WARPS - FIRST_WARP[sex]).argmin()] for sex in sexes]

    def all_cepstra():
        parts = [centred(envelopes, warp) for (envelopes, _), warp in zip(speakers, warps)]
        return np.concatenate([cepstra for cepstra, _ in parts]), np.array([mean for _, mean in parts])

    cepstra, means = all_cepstra()
    sample = random.permutation(len(cepstra))[:SAMPLED_FRAMES]
    mixture = Mixture(cepstra[sample], random)
    mixture.fit(cepstra[sample], 6)
    for _ in range(WARP_ROUNDS):
        scores = [[mixture.score(centred(envelopes[::3], warp)[0]) for warp in WARPS] for envelopes, _ in speakers]
        warps = WARPS[np.argmax(scores, axis=1)]
        cepstra, means = all_cepstra()
        mixture.fit(cepstra[sample], 4)
        print("mean warp", {sex: round(float(warps[sexes == sex].mean()), 4) for sex in "MF"}, "spread", warps.std())
    mixture.fit(cepstra, 5)

    deviations = np.concatenate([means[sexes == sex] - means[sexes == sex].mean(0) for sex in "MF"])
    spread = np.linalg.cholesky(np.cov(deviations.T) + 1e-6 * np.eye(CEPSTRA))

    def written(values):
        return [float(f"{value:.5g}") for value in np.ravel(values)]

    model = {
        "source": "Trained by voice-model/train.py on LibriSpeech train-clean-100 (V. Panayotov, G. Chen, D. Povey, "
        "S. Khudanpur, 2015), CC BY 4.0, https://creativecommons.org/licenses/by/4.0/",
        "speakers": len(speakers),
        "weights": written(mixture.weights),
        "means": written(mixture.means),
        "variances": written(mixture.variances),
        "male": {"warp": float(warps[sexes == "M"].mean()), "mean": written(means[sexes == "M"].mean(0))},
        "female": {"warp": float(warps[sexes == "F"].mean()), "mean": written(means[sexes == "F"].mean(0))},
        "spread": written(spread),
    }
    output.write_text(json.dumps(model) + "\n")
    print("frames", len(cepstra), "log likelihood", mixture.score(cepstra))


main()
