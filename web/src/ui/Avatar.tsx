import { useState } from 'react';
import { styled } from 'styled-components';
import { firstLetter } from '../lib/text.js';
import { previewSrc } from '../lib/media.js';
import { Glyph } from './Glyph.js';

const SIZES = { sm: 36, row: 44, md: 48, lg: 72, xl: 104 } as const;
const CORNERS = ['end-start', 'start-start', 'end-end', 'start-end'] as const;
const TEXT_COLOURS = [
  '--on-violet-tint',
  '--on-rose-tint',
  '--on-gold-tint',
  '--on-mint-tint',
  '--on-violet',
  '--on-night',
] as const;

interface Person {
  id: number;
  name: string;
  avatar: string | null;
}

interface Props {
  person: Person;
  size?: keyof typeof SIZES;
  online?: boolean;
  className?: string;
}

export function Avatar({ person, size = 'md', online = false, className }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const { id, name, avatar } = person;
  return (
    <Frame
      className={className}
      $size={SIZES[size]}
      $corner={CORNERS[id % 4] ?? 'end-start'}
      $tint={id % 6}
      aria-hidden="true"
    >
      {avatar !== null && avatar !== broken ? (
        <img
          src={previewSrc(avatar)}
          width={SIZES[size]}
          height={SIZES[size]}
          alt=""
          onError={() => setBroken(avatar)}
        />
      ) : (
        <Letter>{firstLetter(name)}</Letter>
      )}
      {online && <OnlineDot data-part="online" $large={size === 'xl'} />}
    </Frame>
  );
}

export const DeveloperAvatar = styled.img.attrs({ src: '/art/avatar-developer.svg', alt: '' })<{ $size: number }>`
  inline-size: ${({ $size }) => $size}px;
  block-size: ${({ $size }) => $size}px;
  flex: none;
`;

const Frame = styled.span<{ $size: number; $corner: string; $tint: number }>`
  --size: ${({ $size }) => $size}px;
  inline-size: var(--size);
  block-size: var(--size);
  border-radius: 50%;
  border-${({ $corner }) => $corner}-radius: 14%;
  display: grid;
  place-items: center;
  flex: none;
  position: relative;
  font-weight: 800;
  font-size: calc(var(--size) * 0.42);
  line-height: 1;
  background: ${({ $tint }) => `var(--avatar-${String($tint)})`};
  color: ${({ $tint }) => `var(${TEXT_COLOURS[$tint] ?? '--ink'})`};
  img {
    inline-size: 100%;
    block-size: 100%;
    object-fit: cover;
    border-radius: inherit;
  }
`;

const Letter = styled.span`
  translate: 0 4%;
  :lang(en) & {
    translate: none;
  }
`;

const OnlineDot = styled.i<{ $large: boolean }>`
  position: absolute;
  inset-block-end: ${({ $large }) => ($large ? '5px' : '3%')};
  inset-inline-end: ${({ $large }) => ($large ? '5px' : '3%')};
  inline-size: 19%;
  block-size: 19%;
  min-inline-size: 10px;
  min-block-size: 10px;
  background: var(--online-mark);
  border: 3px solid var(--surface);
  border-radius: 50%;
`;

export const AssistantAvatar = styled(Glyph).attrs({ dots: 2 })`
  inline-size: 34px;
  block-size: 34px;
  padding: 5px 5px 7px;
  background: var(--violet);
  color: var(--on-violet);
  border-radius: 50%;
  border-end-start-radius: 14%;
  flex: none;
  [data-part='dots'] {
    fill: var(--gold);
  }
`;
