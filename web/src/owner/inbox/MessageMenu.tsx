import {
  ArrowDownUp,
  Ban,
  Ellipsis,
  EyeOff,
  Flag,
  Globe,
  MessagesSquare,
  Pin,
  PinOff,
  Reply as ReplyIcon,
  Smartphone,
  Trash2,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useErrorText } from '../../api/use-error-text.js';
import {
  ConfirmDialog,
  Icon,
  IconButtonBase,
  Menu,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
  OptionalView,
  Spoken,
  useToast,
} from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { ReportDialog } from '../../shared/report/index.js';
import { actionButton } from './action-row.js';
import type { ReceivedActions } from './card-parts.js';
import { useBlockSenderMutation } from './api.js';
import { MenuSheet } from './MenuSheet.js';
import type { Message } from '../../shared/message/index.js';
import { usePins } from './use-pins.js';
import { lazyPart } from '../../lib/on-demand.js';

const PinsDialog = lazyPart(async () => (await import('./PinsDialog.js')).PinsDialog);

type OpenerProps = ComponentProps<'button'> & { label?: string | undefined; hasWord?: boolean | undefined };

function Opener({ label, hasWord = false, ...props }: OpenerProps) {
  const { t } = useTranslation();
  return hasWord ? (
    <WordButton type="button" {...props}>
      <Icon of={Ellipsis} />
      <span aria-hidden="true">{t('messages.action.moreShort')}</span>
      <Spoken>{t('messages.action.more')}</Spoken>
    </WordButton>
  ) : (
    <IconButtonBase type="button" $size="sm" aria-label={label ?? t('messages.action.more')} {...props}>
      <Icon of={Ellipsis} />
    </IconButtonBase>
  );
}

interface SenderProps {
  message: Message;
  label?: string;
  isBusy: boolean;
  hasWord?: boolean;
  defaultOpen?: boolean;
  remove: string;
  onDelete: () => void;
  children: ReactNode;
}

/** Ends with what is about the sender, and with deletion. */
export function SenderMenu(props: SenderProps) {
  const { message, label, isBusy, hasWord, defaultOpen = false, remove, onDelete, children } = props;
  const { t } = useTranslation();
  const toast = useToast();
  const errors = useErrorText();
  const [confirming, setConfirming] = useState(false);
  const [reporting, setReporting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [block, { isLoading }] = useBlockSenderMutation();

  const endReporting = () => setReporting(false);

  const confirm = async () => {
    const { error } = await block(message.id);
    setConfirming(false);
    if (error === undefined)
      toast({ variant: 'success', title: t('messages.block.done'), text: t('messages.block.doneText') });
    else toast({ variant: 'destructive', title: t('messages.block.failed'), text: errors.text(error) });
  };

  return (
    <>
      <Menu modal={false} defaultOpen={defaultOpen}>
        <MenuTrigger asChild>
          <Opener ref={button} label={label} hasWord={hasWord} disabled={isBusy} />
        </MenuTrigger>
        <MenuSheet opener={button}>
          {children}
          <MenuSeparator />
          <MenuItem onSelect={() => setConfirming(true)}>
            <Icon of={Ban} />
            <span>
              {t('messages.block.action')}
              <Small>{t('messages.block.hint')}</Small>
            </span>
          </MenuItem>
          <MenuItem onSelect={() => setReporting(true)}>
            <Icon of={Flag} />
            {t('messages.action.report')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem $danger onSelect={onDelete}>
            <Icon of={Trash2} />
            {remove}
          </MenuItem>
        </MenuSheet>
      </Menu>
      <ConfirmDialog
        open={confirming}
        icon={Ban}
        title={t('messages.block.title')}
        text={t('messages.block.text')}
        confirm={t('messages.block.confirm')}
        busy={isLoading ? t('messages.block.pending') : undefined}
        onConfirm={() => void confirm()}
        onCancel={() => setConfirming(false)}
      />
      {reporting && (
        <OptionalView onClose={endReporting}>
          <ReportDialog message={message} onBlock={async (id) => (await block(id)).error} onClose={endReporting} />
        </OptionalView>
      )}
    </>
  );
}

interface Props {
  message: Message;
  actions: Pick<ReceivedActions, 'isBusy' | 'isPublished' | 'changeVisibility' | 'share'>;
  hasWord?: boolean;
  /** Of a conversation. */
  onOpen?: (() => void) | undefined;
  /** Absent where a field for it is in view. */
  onReply?: (() => void) | undefined;
  onDelete: () => void;
  /** Other items. */
  children?: ReactNode;
}

/** All actions: on phones some have no room outside it. A list has many: until it is opened, only its button mounts. */
export function MessageMenu(props: Props) {
  const [wasOpened, setWasOpened] = useState(false);
  if (wasOpened) return <OpenedMenu {...props} />;
  return (
    <Opener
      hasWord={props.hasWord}
      disabled={props.actions.isBusy}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWasOpened(true)}
    />
  );
}

function OpenedMenu({ message, actions, hasWord = false, onOpen, onReply, onDelete, children }: Props) {
  const { t } = useTranslation();
  const pins = usePins(message);

  return (
    <>
      <SenderMenu
        message={message}
        isBusy={actions.isBusy}
        hasWord={hasWord}
        defaultOpen
        remove={t('messages.action.deleteThis')}
        onDelete={onDelete}
      >
        {onOpen && (
          <MenuItem onSelect={onOpen}>
            <Icon of={MessagesSquare} />
            {t('messages.conversation.open')}
          </MenuItem>
        )}
        {onReply && (
          <MenuItem onSelect={onReply}>
            <Icon of={ReplyIcon} flip />
            {t('messages.action.reply')}
          </MenuItem>
        )}
        <MenuItem onSelect={actions.changeVisibility}>
          <Icon of={message.isPublic ? EyeOff : Globe} />
          {t(message.isPublic ? 'messages.action.unpublish' : 'messages.action.publish')}
        </MenuItem>
        {message.pinned === true ? (
          <>
            <MenuItem onSelect={() => void pins.unpin()}>
              <Icon of={PinOff} />
              {t('messages.pin.unpin')}
            </MenuItem>
            <MenuItem onSelect={() => void pins.order()}>
              <Icon of={ArrowDownUp} />
              {t('messages.pin.title')}
            </MenuItem>
          </>
        ) : (
          <MenuItem disabled={!actions.isPublished} onSelect={() => void pins.pin()}>
            <Icon of={Pin} />
            <span>
              {t('messages.pin.action')}
              {!actions.isPublished && <Small>{t('messages.pin.hint')}</Small>}
            </span>
          </MenuItem>
        )}
        {actions.isPublished && (
          <MenuItem onSelect={actions.share}>
            <Icon of={Smartphone} />
            {t('messages.picture.story')}
          </MenuItem>
        )}
        {children}
      </SenderMenu>
      {pins.ordering !== null && (
        <OptionalView onClose={pins.endOrdering}>
          <PinsDialog {...pins.ordering} onClose={pins.endOrdering} />
        </OptionalView>
      )}
    </>
  );
}

const WordButton = styled.button`
  ${actionButton}
`;

const Small = styled.small`
  display: block;
  color: var(--ink-3);
  font-weight: 400;
  ${textSize('14px', '13px')}
`;
