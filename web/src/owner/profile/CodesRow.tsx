import { KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { styled } from 'styled-components';
import { Button, ButtonLink, Icon } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { download } from '../../lib/download.js';
import { useIsInApp } from '../../lib/in-app.js';
import { noteSaved, readCodes, useUnsavedCodes } from '../../lib/unsaved-codes.js';
import { codesFile } from '../../shared/credentials/index.js';
import type { User } from '../../shared/session/index.js';
import { textSize } from '../../theme/index.js';

interface Props {
  user: User;
  /** Says what they are for. */
  isNew?: boolean;
}

/** Stays until the recovery codes are saved. Once they are gone, it leads to new ones. */
export function CodesRow({ user: { id, username }, isNew = false }: Props) {
  const { t } = useTranslation();
  const titleId = useId();
  const state = useUnsavedCodes(id);
  const inApp = useIsInApp();
  const [isLater, setLater] = useState(false);
  /** Until the page is left, since a browser may not have kept the file. */
  const [saved, setSaved] = useState<readonly string[] | null>(null);
  const isSaved = state === 'none';
  if (isSaved && saved === null) return null;

  const save = () => {
    const codes = isSaved ? saved : readCodes(id);
    if (codes === null) return;
    download(codesFile(username, codes));
    setSaved(codes);
    noteSaved(id);
  };
  const explains = isSaved || (isNew && !isLater && state === 'here');
  return (
    <Row role="group" aria-labelledby={titleId} data-testid="codes-row" $isWide={explains}>
      <Icon of={KeyRound} />
      <p>
        <b id={titleId}>{t(explains ? 'profile.codes.title' : 'profile.codes.unsaved')}</b>
        <span role="status">{explains && t(isSaved ? 'profile.codes.saved' : 'profile.codes.text')}</span>
      </p>
      <div>
        {state === 'gone' || (inApp && !isSaved) ? (
          <ButtonLink size="sm" to={state === 'gone' ? '/settings/access' : '/settings/access#codes'}>
            {t(state === 'gone' ? 'profile.codes.new' : 'profile.codes.show')}
          </ButtonLink>
        ) : (
          <Button size="sm" onClick={save}>
            {t('profile.codes.save')}
          </Button>
        )}
        {explains && !isSaved && (
          <Later size="sm" variant="ghost" onClick={() => setLater(true)}>
            {t('profile.codes.later')}
          </Later>
        )}
      </div>
    </Row>
  );
}

const Row = styled.div<{ $isWide: boolean }>`
  display: grid;
  grid-template-columns: 20px minmax(0, 1fr) auto;
  gap: 4px 12px;
  align-items: center;
  padding: 12px 18px;
  border-radius: 20px;
  border-end-start-radius: 6px;
  background: var(--gold-tint);
  color: var(--on-gold-tint);
  p {
    display: grid;
    line-height: 1.5;
    ${textSize('15px', '13px')}
  }
  b {
    ${textSize('17px', '15px')}
  }
  > div {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
  }
  > div > * {
    border-color: transparent;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 6px 14px;
    ${({ $isWide }) =>
      $isWide &&
      `
    padding-block: 12px 8px;
    > div {
      grid-column: 2 / -1;
    }`}
  }
`;

const Later = styled(Button)`
  && {
    color: inherit;
  }
`;
