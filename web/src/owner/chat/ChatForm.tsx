import { RULES } from '@najwa/proto/http/client';
import { Image, SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Icon, IconButton, ImageInput, RemoveButton, Textarea } from '../../ui/index.js';
import { directionOf } from '../../lib/text.js';

const FOCUS_DELAY = 300;

/** Safari ends a composition before the keydown that ended it, which has this code. */
const COMPOSING_KEY = 229;

const isComposing = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === COMPOSING_KEY;

interface Props {
  text: string;
  image: string | null;
  busy: boolean;
  onText: (text: string) => void;
  onChoose: (file: File) => void;
  onRemove: () => void;
  onSubmit: () => void;
}

export function ChatForm({ text, image, busy, onText, onChoose, onRemove, onSubmit }: Props) {
  const { t } = useTranslation();
  const file = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isTooLong = 'fault' in RULES.question(text);
  const canSend = !busy && !isTooLong && (text.trim() !== '' || image !== null);

  useEffect(() => {
    const timer = setTimeout(() => field.current?.focus(), FOCUS_DELAY);
    return () => clearTimeout(timer);
  }, []);

  const submit = () => {
    if (!canSend) return;
    onSubmit();
    field.current?.focus();
  };

  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {image !== null && (
        <Attached>
          <img src={image} alt={t('chat.picture.chosen')} />
          <RemoveButton
            label={t('chat.picture.remove')}
            onClick={() => {
              onRemove();
              field.current?.focus();
            }}
          />
        </Attached>
      )}
      <ImageInput ref={file} onChoose={onChoose} />
      <IconButton label={t('chat.attach')} onClick={() => file.current?.click()}>
        <Icon of={Image} />
      </IconButton>
      <Question
        ref={field}
        value={text}
        rows={1}
        dir={directionOf(text)}
        aria-invalid={isTooLong || undefined}
        placeholder={t('chat.placeholder')}
        aria-label={t('chat.question')}
        enterKeyHint="send"
        onChange={(event) => onText(event.target.value)}
        onPaste={({ clipboardData: { files, types } }) => {
          const [pasted] = files;
          if (pasted !== undefined && !types.includes('text/plain')) onChoose(pasted);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          submit();
        }}
      />
      <Send type="submit" label={t('chat.send')} disabled={!canSend} aria-busy={busy || undefined}>
        <Icon of={SendHorizontal} flip />
      </Send>
    </Form>
  );
}

const Form = styled.form`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  align-items: end;
  padding: 12px 14px 14px;
  border-block-start: 1px solid var(--line);
`;

const Attached = styled.figure`
  position: relative;
  margin-inline-end: calc(100% - 84px);
  img {
    inline-size: 84px;
    block-size: 64px;
    object-fit: cover;
    border-radius: 14px;
    border-end-start-radius: 4px;
  }
`;

const Question = styled(Textarea)`
  flex: 1;
  inline-size: 0;
  min-block-size: 44px;
  max-block-size: 140px;
  padding-block: 7px;
  &,
  :lang(en) & {
    line-height: 1.75rem;
  }
  field-sizing: content;
  resize: none;
`;

const Send = styled(IconButton)`
  background: var(--violet);
  color: var(--on-violet);
  &:hover {
    background: var(--violet-hover);
    color: var(--on-violet);
  }
  &:disabled {
    opacity: 1;
    background: var(--sunken);
    color: var(--ink-3);
  }
`;
