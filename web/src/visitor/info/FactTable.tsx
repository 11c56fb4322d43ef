import { styled } from 'styled-components';
import { semibold, textSize } from '../../theme/index.js';

interface Props {
  columns: readonly [string, string, string];
  rows: readonly (readonly [string, string, string])[];
}

/** On phones each row is a block of labelled lines. */
export function FactTable({ columns, rows }: Props) {
  const [heading, ...others] = columns;
  return (
    <Table role="table">
      <thead role="rowgroup">
        <tr role="row">
          {[heading, ...others].map((column) => (
            <th key={column} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(([name, ...cells]) => (
          <tr key={name} role="row">
            <th scope="row" role="rowheader">
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={others[index]} role="cell">
                <Column aria-hidden="true">{others[index]}: </Column>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const Column = styled.span`
  display: none;
  color: var(--ink-3);
`;

const Table = styled.table`
  inline-size: 100%;
  margin-block-start: 16px;
  border-collapse: collapse;
  overflow: hidden;
  background: var(--surface);
  ${({ theme }) => theme.bubble.card}
  box-shadow:
    inset 0 0 0 1px var(--line),
    var(--shadow-1);
  th,
  td {
    padding: 14px 20px;
    text-align: start;
    vertical-align: top;
    font-weight: 400;
    line-height: 1.6;
    ${textSize('17px', '15px')}
    overflow-wrap: break-word;
  }
  tr + tr > *,
  tbody > tr > * {
    border-block-start: 1px solid var(--line);
  }
  thead th {
    padding-block: 12px;
    color: var(--ink-3);
    ${textSize('15.5px', '13px')}
  }
  tbody th {
    ${semibold}
  }
  ${({ theme }) => theme.media.phone} {
    &,
    tbody,
    tr,
    th,
    td {
      display: block;
    }
    thead {
      display: none;
    }
    tr {
      padding: 14px 18px;
      border-block-start: 1px solid var(--line);
    }
    tr:first-child {
      border: 0;
    }
    tbody > tr > * {
      padding: 0;
      border: 0;
    }
    ${Column} {
      display: inline;
    }
  }
`;
