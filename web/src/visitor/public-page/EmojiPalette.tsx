import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';

const EMOJIS = [
  '😊',
  '😂',
  '❤️',
  '😍',
  '🥰',
  '🤗',
  '🤔',
  '😎',
  '🥺',
  '😢',
  '😭',
  '😅',
  '🙈',
  '🤯',
  '🙏',
  '👏',
  '👍',
  '👌',
  '🔥',
  '✨',
  '🎉',
  '💯',
  '💔',
  '🌹',
  '🌙',
  '⭐',
  '☕',
  '📚',
  '🎵',
  '🤍',
] as const;

interface Props {
  id: string;
  onPick: (emoji: string) => void;
}

export function EmojiPalette({ id, onPick }: Props) {
  const { t } = useTranslation();
  return (
    <Grid id={id} role="group" aria-label={t('publicPage.composer.emojis')}>
      {EMOJIS.map((emoji) => (
        <button key={emoji} type="button" onClick={() => onPick(emoji)}>
          {emoji}
        </button>
      ))}
    </Grid>
  );
}

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(10, 1fr);
  gap: 2px;
  background: var(--sunken);
  padding: 8px;
  ${({ theme }) => theme.bubble.large}
  margin-block-start: 14px;
  button {
    aspect-ratio: 1;
    min-block-size: 36px;
    max-block-size: 64px;
    font-size: 1.375rem;
    line-height: 1;
    border-radius: 10px;
    inline-size: 100%;
    font-family: 'Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji', sans-serif;
    &:hover {
      background: var(--surface);
    }
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: repeat(6, 1fr);
  }
`;
