export { Avatar, DeveloperAvatar } from './Avatar.js';
export { AssistantAvatar } from './Avatar.js';
export { Badge } from './Badge.js';
export { BOWL, DOTS } from './Glyph.js';
export { Boundary, Optional, optionalPart } from './Boundary.js';
export { AnchorButton, Button, ButtonLink } from './Button.js';
export { Callout } from './Callout.js';
export { Card, CardTitle } from './Card.js';
export { Checkbox } from './Checkbox.js';
export { Chip, ChipGroup, FilterChips } from './Chip.js';
export { ConfirmDialog } from './ConfirmDialog.js';
export { CounterRing } from './CounterRing.js';
export { Counts, countsInLine } from './Counts.js';
export { Dialog, DialogActions, overlay, panel } from './Dialog.js';
export { DialogForm, FormDialog } from './DialogForm.js';
export { LoadingDots } from './StatusDot.js';
export { EmptyState } from './EmptyState.js';
export { AddRow, Field, FieldError, FieldPair, InputField, TextareaField } from './Field.js';
export { FoldedText } from './FoldedText.js';
export { CollapsibleSection } from './CollapsibleSection.js';
export { SiteHost, UserText } from './UserText.js';
export { Glyph } from './Glyph.js';
export { Handle } from './UserText.js';
export { Icon } from './Icon.js';
export { IconButton, IconButtonBase, RemoveButton } from './IconButton.js';
export { ImageInput } from './ImageInput.js';
export { AffixedInput, Input, InputPrefix, Textarea } from './Input.js';
export { currentRow, FACTS_GAP, ListHeader, Row } from './Row.js';
export { Logo } from './Logo.js';
export { Ornament } from './Ornament.js';
export { OptionalView } from './OptionalView.js';
export { OptionList } from './OptionList.js';
export { IconNote, Note } from './Note.js';
export { NoticePage } from './NoticePage.js';
export {
  Menu,
  MenuGroup,
  MenuLabel,
  MenuRadioItem,
  MenuRadioGroup,
  MenuItemIndicator,
  MenuItem,
  MenuPanel,
  menuRow,
  MenuSeparator,
  MenuTrigger,
} from './Menu.js';
export { MessageShape, type MessageState } from './MessageShape.js';
export { StatusDot } from './StatusDot.js';
export { type SentStatus, sentStatusOf, statusIcon, StatusLetter } from './StatusLetter.js';
export { PageLoading } from './PageLoading.js';
export { PasswordField } from './PasswordField.js';
export { PremiumBanner, PremiumLabels } from './PremiumBanner.js';
export { ProgressBar, ProgressPanel } from './Progress.js';
export { MessageSkeletons, Skeleton } from './Skeleton.js';
export { Spoken } from './Spoken.js';
export { Switch } from './Switch.js';
export { SwitchRow } from './SwitchRow.js';
export { Tab, TabList, TabPanel, Tabs } from './Tabs.js';
export { VerifiedBadge } from './Badge.js';
export { ToastProvider } from './ToastProvider.js';
export { useCloseRequest } from './use-close-request.js';
export { useFocusReturn } from './use-focus-return.js';
export { PAGE_FAILED, useToast } from './toast-context.js';
export { useOutcome } from './use-outcome.js';
export { Tooltip, TooltipProvider } from './Tooltip.js';
export { Stack, TwoColumns, Container } from './layout.js';
export { DialogQuote, Quote } from './Quote.js';
