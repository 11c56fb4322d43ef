import type { ReactNode } from 'react';
import { type LucideIcon, Monitor, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from '../../ui/index.js';
import type { Translate } from '../../i18n/index.js';
import { semibold, small, textSize } from '../../theme/index.js';

export interface Device {
  browser: string;
  operatingSystem: string;
  kind: string;
}

const ICONS: Record<string, LucideIcon> = { desktop: Monitor, mobile: Smartphone, tablet: Tablet };

export function deviceName({ browser, operatingSystem: system }: Device, t: Translate): string {
  if (browser !== '' && system !== '') return t('settings.sessions.device', { browser, system });
  return browser || system || t('settings.sessions.unknown');
}

interface Props {
  device: Device;
  title: string;
  text: string;
  testId: string;
  children: ReactNode;
}

export function DeviceRow({ device, title, text, testId, children }: Props) {
  return (
    <Row data-testid={testId}>
      <DeviceIcon>
        <Icon of={ICONS[device.kind] ?? MonitorSmartphone} />
      </DeviceIcon>
      <Details>
        <b>{title}</b>
        <p>{text}</p>
      </Details>
      {children}
    </Row>
  );
}

const Row = styled.li`
  display: flex;
  align-items: center;
  gap: 14px;
  padding-block: 12px;
  border-block-start: 1px solid var(--line);
  &:first-child {
    border: 0;
    padding-block-start: 0;
  }
`;

const DeviceIcon = styled.span`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  flex: none;
  background: var(--sunken);
  color: var(--ink-2);
  ${({ theme }) => theme.bubble.control}
`;

const Details = styled.div`
  flex: 1;
  min-inline-size: 0;
  b {
    display: block;
    ${semibold}
    ${textSize('17px', '15px')}
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  p {
    color: var(--ink-3);
    ${small}
  }
`;
