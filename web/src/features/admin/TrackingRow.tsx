import { useTranslation } from 'react-i18next';
import { Handle, Icon } from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { ReadBadge } from './MessageBadges.js';
import { Fact, PaneRow } from './PaneRow.js';
import type { TrackingRecord } from './types.js';
import { useDeviceKind } from './use-device-kind.js';
import { useRecipient } from './use-recipient.js';

interface Props {
  record: TrackingRecord;
  current: boolean;
  onSelect: () => void;
}

export function TrackingRow({ record, current, onSelect }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const device = useDeviceKind(record.device);
  const recipient = useRecipient(record.message.userId);
  return (
    <PaneRow
      id={record.id}
      current={current}
      text={record.message.content || t('admin.tracking.voice')}
      badge={<ReadBadge isRead={record.message.isRead} />}
      facts={
        <>
          <time dateTime={record.createdAt}>{dateTime(record.createdAt)}</time>
          <Fact>
            <Icon of={device.icon} size="sm" />
            {device.name}
          </Fact>
          {recipient !== undefined && <Handle username={recipient.username} />}
        </>
      }
      onSelect={onSelect}
    />
  );
}
