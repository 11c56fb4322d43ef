import { LIMITS } from '@najwa/proto/http/client';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { Badge, Icon, IconButtonBase, useCloseRequest, useToast } from '../../ui/index.js';
import { usePicture, WRONG_FILE_TEXTS } from '../../lib/media.js';
import { type User, useKeptState } from '../../shared/session/index.js';
import { ChatForm } from './ChatForm.js';
import { ChatLog } from './ChatLog.js';
import { type Participant, readVisitorId } from './conversations.js';
import { Credit, Panel, PanelAvatar, PanelHeader, Portfolio, Title } from './panel-parts.js';
import { isAutomatic } from './split-reply.js';
import { useConversation } from './use-conversation.js';

const PORTFOLIO = '/about';

export interface ChatPanelProps {
  user: User | null;
  open: boolean;
  onClose: () => void;
  onClosed: () => void;
}

const participantOf = (user: User | null): Participant =>
  user === null
    ? { id: readVisitorId(), name: '', isVisitor: true }
    : { id: String(user.id), name: user.name, isVisitor: false };

/** Stays mounted while closed, so that a pending answer can arrive. */
export function ChatPanel({ user, open, onClose, onClosed }: ChatPanelProps) {
  const { t } = useTranslation();
  const toast = useToast();
  const [participant] = useState(() => participantOf(user));
  const [text, setText] = useKeptState('chat', '');
  const [openedAt] = useState(() => new Date().toISOString());
  const panel = useRef<HTMLDivElement>(null);
  const { messages, waiting, send } = useConversation(participant);
  const { picture, reading, choose, put } = usePicture({
    maxBytes: LIMITS.chatImageBytes,
    onRefuse: (reason) => {
      const text = t(reason === 'heic' ? WRONG_FILE_TEXTS.heic : `chat.picture.${reason}Text`);
      toast({ variant: 'destructive', title: t(`chat.picture.${reason === 'heic' ? 'wrongFile' : reason}`), text });
    },
  });
  const lastReply = messages.filter(({ role, failed }) => role === 'bot' && !failed).at(-1);
  const mode = lastReply && (isAutomatic(lastReply.content) ? 'local' : 'ai');

  useCloseRequest(open, onClose);

  const submit = async () => {
    setText('');
    put(null);
    const sent = await send({ text: text.trim(), picture });
    if (!sent) put(picture);
  };

  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Panel
          ref={panel}
          aria-describedby={undefined}
          data-fills-phone
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            panel.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
        >
          <PanelHeader>
            <PanelAvatar dots={2} />
            <div>
              <Dialog.Title asChild>
                <Title>{t('chat.title')}</Title>
              </Dialog.Title>
              {mode && (
                <Badge $tone={mode === 'local' ? 'gold' : 'mint'} data-testid="chat-mode">
                  {t(`chat.mode.${mode}`)}
                </Badge>
              )}
            </div>
            <Dialog.Close asChild>
              <IconButtonBase aria-label={t('common.action.close')}>
                <Icon of={X} />
              </IconButtonBase>
            </Dialog.Close>
          </PanelHeader>
          <Credit>
            {t('chat.credit')}
            <Portfolio href={PORTFOLIO} target="_blank" rel="noreferrer">
              {t('chat.portfolio')}
            </Portfolio>
          </Credit>
          <ChatLog
            messages={messages}
            openedAt={openedAt}
            waiting={waiting}
            onSuggestion={(suggestion) => void send({ text: suggestion, picture: null })}
          />
          <ChatForm
            text={text}
            image={picture?.src ?? null}
            busy={waiting || reading}
            onText={setText}
            onChoose={(file) => void choose(file)}
            onRemove={() => put(null)}
            onSubmit={() => void submit()}
          />
        </Panel>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
