import { Ban } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Icon, Skeleton, UserText, useOutcome } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { tiny } from '../../theme/index.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { type Block, useGetBlocksQuery, useLiftBlockMutation } from './safety-api.js';
import { SettingsSection } from './SettingsSection.js';

export function BlockList() {
  const { t } = useTranslation();
  const { data: blocks, error, refetch, isFetching } = useGetBlocksQuery();
  return (
    <SettingsSection title={t('receiving.blocks.title')} text={t('receiving.blocks.text')}>
      {blocks === undefined && error === undefined && <Skeleton $inline="100%" $block="72px" />}
      {blocks === undefined && error !== undefined && (
        <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {blocks?.length === 0 && <p>{t('receiving.blocks.none')}</p>}
      {blocks !== undefined && blocks.length > 0 && (
        <ul>
          {blocks.map((block) => (
            <BlockRow key={block.id} block={block} />
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}

function BlockRow({ block: { id, excerpt, createdAt } }: { block: Block }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const say = useOutcome();
  const [lift, { isLoading }] = useLiftBlockMutation();
  const liftBlock = async () => {
    const { error } = await lift(id);
    if (error === undefined) say.done(t('receiving.blocks.lifted'), t('receiving.blocks.liftedText'));
    else say.failed(t('receiving.failed', { text: say.errors.text(error) }));
  };
  return (
    <Row data-testid="block">
      <Shape>
        <Icon of={Ban} />
      </Shape>
      <Details>
        <b>{excerpt === '' ? t('receiving.blocks.voice') : <UserText>{excerpt}</UserText>}</b>
        <small>{t('receiving.blocks.since', { date: date(createdAt) })}</small>
      </Details>
      <Button size="sm" disabled={isLoading} onClick={() => void liftBlock()}>
        {t('receiving.blocks.lift')}
      </Button>
    </Row>
  );
}

const Row = styled.li`
  display: flex;
  gap: 14px;
  align-items: center;
  padding-block: 14px;
  border-block-start: 1px solid var(--line);
  &:first-child {
    border: 0;
    padding-block-start: 0;
  }
  > button {
    flex: none;
  }
`;

const Shape = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  inline-size: 44px;
  block-size: 44px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  background: var(--sunken);
  color: var(--ink-2);
`;

const Details = styled.div`
  flex: 1;
  min-inline-size: 0;
  b {
    display: block;
    font-weight: 500;
    line-height: 1.55;
    overflow-wrap: anywhere;
  }
  small {
    color: var(--ink-3);
    ${tiny}
  }
`;
