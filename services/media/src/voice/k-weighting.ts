interface Biquad {
  b: readonly [number, number, number];
  /** Without its leading one. */
  a: readonly [number, number];
}

/** A head, to which what is above two kilohertz is louder, and an ear, which hardly hears what is below a hundred hertz. */
const SHELF = {
  hertz: 1681.974450955533,
  decibels: 3.999843853973347,
  quality: 0.7071752369554196,
  slope: 0.4996667741545416,
};
const HIGH_PASS = { hertz: 38.13547087602444, quality: 0.5003270373238773 };

/** What the filters add at one kilohertz, in dB. */
export const K_OFFSET_DB = -0.691;

/**
 * A sound weighted as it is heard, for loudness: the two filters of ITU-R BS.1770-4 (annex 1), which gives their coefficients at
 * 48 kHz, at any rate by way of the analog filters that those come from (B. De Man, "Evaluation of implementations of the
 * EBU R128 loudness measurement", AES convention 145, 2018).
 */
export function weigh(samples: Float32Array, sampleRate: number): Float32Array {
  return filter(filter(samples, shelf(sampleRate)), highPass(sampleRate));
}

function shelf(sampleRate: number): Biquad {
  const { hertz, decibels, quality, slope } = SHELF;
  const k = Math.tan((Math.PI * hertz) / sampleRate);
  const high = 10 ** (decibels / 20);
  const band = (high ** slope * k) / quality;
  const scale = 1 + k / quality + k * k;
  return {
    b: [(high + band + k * k) / scale, (2 * (k * k - high)) / scale, (high - band + k * k) / scale],
    a: [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale],
  };
}

function highPass(sampleRate: number): Biquad {
  const { hertz, quality } = HIGH_PASS;
  const k = Math.tan((Math.PI * hertz) / sampleRate);
  const scale = 1 + k / quality + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale] };
}

function filter(samples: Float32Array, { b: [b0, b1, b2], a: [a1, a2] }: Biquad): Float32Array {
  let one = 0;
  let two = 0;
  const result = new Float32Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] ?? 0;
    const filtered = b0 * sample + one;
    one = b1 * sample - a1 * filtered + two;
    two = b2 * sample - a2 * filtered;
    result[index] = filtered;
  }
  return result;
}
