export { DetailHeader } from './DetailHeader.js';
export { ListDetail, useSelected } from './ListDetail.js';
export { type PagedList, usePagedList } from './paged-list.js';
export { Fact, PaneNote, PaneRow, PaneRows, type RowState } from './rows.js';
