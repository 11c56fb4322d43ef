import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon, IconButtonBase } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { firstName, isolate } from '../../lib/text.js';
import { textSize } from '../../theme/index.js';
import { OwnerBubble } from '../../shared/message/index.js';
import type { PublicProfile } from './types.js';

interface Props {
  prompt: NonNullable<PublicProfile['prompts']>[number];
  owner: PublicProfile;
  onDrop: (id: number) => void;
}

export function AskedQuestion({ prompt, owner, onDrop }: Props) {
  const { t } = useTranslation();
  return (
    <Asked>
      <OwnerBubble
        owner={owner}
        premium={owner.isAdmin && owner.isVerified}
        text={prompt.content}
        data-testid="asked-question"
      >
        {t('publicPage.composer.asks', { name: isolate(firstName(owner.name)) })}
        <IconButtonBase
          type="button"
          $size="sm"
          aria-label={t('publicPage.composer.withoutQuestion')}
          onClick={() => onDrop(prompt.id)}
        >
          <Icon of={X} size="sm" />
        </IconButtonBase>
      </OwnerBubble>
    </Asked>
  );
}

const Asked = styled.div`
  margin-block-end: 22px;
  > div {
    margin-block-start: 0;
  }
  header {
    align-items: center;
  }
  button {
    margin-block: -4px;
    margin-inline: auto -8px;
    /* Enlarges the touch target. */
    &::after {
      content: '';
      position: absolute;
      inset: -4px;
    }
  }
  p {
    font-weight: 800;
    ${textSize('22px', '20px')}
    :lang(en) & {
      font-weight: 700;
      letter-spacing: -0.015em;
    }
  }
`;
