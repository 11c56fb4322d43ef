import { Check, Clock } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Icon } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { type addresseeOf, forgetOnDevice, isKeptOnDevice, keepOnDevice } from '../../lib/drafts.js';

const TEXTS = ['closed'] as const;

interface Props {
  recipient: ReturnType<typeof addresseeOf>;
  /** An account too new to send it. */
  account: number;
  text: string;
}

export function KeepText({ recipient, account, text }: Props) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const [isKept, setKept] = useState(() => isKeptOnDevice(recipient, account));
  const toggle = () => {
    if (isKept) forgetOnDevice(recipient, account);
    else keepOnDevice(recipient, { text, account });
    // The browser may refuse.
    setKept(isKeptOnDevice(recipient, account));
  };
  return (
    <Row>
      <p role="status">
        {isKept && (
          <>
            <Icon of={Check} size="sm" />
            {t('closed.kept')}
          </>
        )}
      </p>
      <Button onClick={toggle}>
        {isKept ? (
          t('closed.forget')
        ) : (
          <>
            <Icon of={Clock} />
            {t('closed.keep')}
          </>
        )}
      </Button>
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 10px 16px;
  margin-block-start: 18px;
  p {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    &:empty {
      display: none;
    }
  }
`;
