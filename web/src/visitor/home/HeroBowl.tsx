import { styled } from 'styled-components';

const CIRCLES = [
  [5.5, 0],
  [5.5, 11],
  [0, 5.5],
  [11, 5.5],
] as const;

const DOT_PATHS =
  'M5.11 -0.91Q5.5 -1.3 5.89 -0.91L6.41 -0.39Q6.8 0 6.41 0.39L5.89 0.91Q5.5 1.3 5.11 0.91L4.59 0.39Q4.2 0 4.59 -0.39ZM5.11 10.09Q5.5 9.7 5.89 10.09L6.41 10.61Q6.8 11 6.41 11.39L5.89 11.91Q5.5 12.3 5.11 11.91L4.59 11.39Q4.2 11 4.59 10.61ZM-0.39 4.59Q0 4.2 0.39 4.59L0.91 5.11Q1.3 5.5 0.91 5.89L0.39 6.41Q0 6.8 -0.39 6.41L-0.91 5.89Q-1.3 5.5 -0.91 5.11ZM10.61 4.59Q11 4.2 11.39 4.59L11.91 5.11Q12.3 5.5 11.91 5.89L11.39 6.41Q11 6.8 10.61 6.41L10.09 5.89Q9.7 5.5 10.09 5.11Z';
const SMALL_DOT_PATHS =
  'M5.32 5.08Q5.5 4.9 5.68 5.08L5.92 5.32Q6.1 5.5 5.92 5.68L5.68 5.92Q5.5 6.1 5.32 5.92L5.08 5.68Q4.9 5.5 5.08 5.32ZM-0.18 -0.42Q0 -0.6 0.18 -0.42L0.42 -0.18Q0.6 0 0.42 0.18L0.18 0.42Q0 0.6 -0.18 0.42L-0.42 0.18Q-0.6 0 -0.42 -0.18ZM10.82 -0.42Q11 -0.6 11.18 -0.42L11.42 -0.18Q11.6 0 11.42 0.18L11.18 0.42Q11 0.6 10.82 0.42L10.58 0.18Q10.4 0 10.58 -0.18ZM-0.18 10.58Q0 10.4 0.18 10.58L0.42 10.82Q0.6 11 0.42 11.18L0.18 11.42Q0 11.6 -0.18 11.42L-0.42 11.18Q-0.6 11 -0.42 10.82ZM10.82 10.58Q11 10.4 11.18 10.58L11.42 10.82Q11.6 11 11.42 11.18L11.18 11.42Q11 11.6 10.82 11.42L10.58 11.18Q10.4 11 10.58 10.82Z';

export function HeroBowl({ path }: { path: string }) {
  return (
    <Bowl viewBox="6 20 52 38">
      <defs>
        <pattern
          id="stage-lattice"
          width="11"
          height="11"
          patternUnits="userSpaceOnUse"
          patternTransform="translate(4 36.5)"
        >
          <g fill="none" stroke="#fff" strokeWidth=".3">
            {CIRCLES.map(([x, y]) => (
              <circle key={`${String(x)} ${String(y)}`} cx={x} cy={y} r="3.7" />
            ))}
          </g>
          <path fill="#fff" d={DOT_PATHS} />
          <path fill="#fff" d={SMALL_DOT_PATHS} />
        </pattern>
      </defs>
      <path fill="var(--hero-bowl)" d={path} />
      <path fill="url(#stage-lattice)" opacity="0.2" d={path} />
    </Bowl>
  );
}

const Bowl = styled.svg`
  position: absolute;
  z-index: 2;
  inline-size: 516px;
  inset-block-end: -26px;
  inset-inline-start: 22px;
  overflow: visible;
  ${({ theme }) => theme.media.narrow} {
    inline-size: 440px;
    inset-inline-start: calc(50% - 220px);
  }
  ${({ theme }) => theme.media.phone} {
    inline-size: 336px;
    inset-inline-start: calc(50% - 168px);
    inset-block-end: -16px;
  }
`;
