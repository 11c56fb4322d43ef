import { ImageUp } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Avatar, Button, Icon, ImageInput, Row } from '../../ui/index.js';
import { textSize } from '../../theme/index.js';
import type { User } from '../../shared/session/index.js';

interface Props {
  user: User;
  disabled: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

export function AvatarEditor({ user, disabled, onChoose, onRemove }: Props) {
  const { t } = useTranslation();
  const file = useRef<HTMLInputElement>(null);
  return (
    <Editor>
      <Portrait person={user} size="xl" />
      <div>
        <Row $gap={8}>
          <Button size="sm" disabled={disabled} onClick={() => file.current?.click()}>
            <Icon of={ImageUp} />
            {t('settings.avatar.change')}
          </Button>
          {user.avatar !== null && (
            <Button size="sm" disabled={disabled} onClick={onRemove}>
              {t('settings.avatar.remove')}
            </Button>
          )}
        </Row>
        <Hint>{t('settings.avatar.hint')}</Hint>
      </div>
      <ImageInput ref={file} onChoose={onChoose} />
    </Editor>
  );
}

const Editor = styled.div`
  display: flex;
  align-items: center;
  gap: 20px;
  position: relative;
`;

const Portrait = styled(Avatar)`
  ${({ theme }) => theme.media.phone} {
    --size: 84px;
  }
`;

const Hint = styled.p`
  ${textSize('15px', '13px')}
  line-height: 1.6;
  color: var(--ink-3);
`;
