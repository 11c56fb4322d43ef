export { AnonymousAvatar, Avatar, DeveloperAvatar } from './Avatar.js';
export { AssistantFace } from './AssistantFace.js';
export { Badge } from './Badge.js';
export { BOWL, DOTS } from './bowl-paths.js';
export { Button, ButtonLink } from './Button.js';
export { Card, CardTitle } from './Card.js';
export { Checkbox } from './Checkbox.js';
export { Chip, ChipGroup } from './Chip.js';
export { ConfirmDialog } from './ConfirmDialog.js';
export { CounterRing } from './CounterRing.js';
export { Counts } from './Counts.js';
export { Dialog, DialogEnds } from './Dialog.js';
export { Dots } from './Dots.js';
export { Empty } from './Empty.js';
export { Field, FieldError, FieldPair } from './Field.js';
export { Fold } from './Fold.js';
export { Foreign } from './Foreign.js';
export { Glyph } from './Glyph.js';
export { Handle } from './Handle.js';
export { Icon } from './Icon.js';
export { IconButton, IconButtonShape } from './IconButton.js';
export { ImageInput } from './ImageInput.js';
export { AffixedInput, Input, InputPrefix, Textarea } from './Input.js';
export { ListHead } from './ListHead.js';
export { Logo } from './Logo.js';
export { LoneCard } from './LoneCard.js';
export {
  Menu,
  MenuChoice,
  MenuChoices,
  MenuChosen,
  MenuItem,
  MenuPanel,
  menuRow,
  MenuSeparator,
  MenuTrigger,
} from './Menu.js';
export { MessageShape, type MessageState } from './MessageShape.js';
export { Nuqta } from './Nuqta.js';
export { PageLoading } from './PageLoading.js';
export { PasswordField } from './PasswordField.js';
export { PatternBanner } from './PatternBanner.js';
export { PremiumBanner } from './PremiumBanner.js';
export { RemoveButton } from './RemoveButton.js';
export { MessageSkeletons, Skeleton } from './Skeleton.js';
export { Switch } from './Switch.js';
export { Tab, TabList, TabPanel, Tabs } from './Tabs.js';
export { Tick } from './Tick.js';
export { ToastProvider } from './Toast.js';
export { useReturnedFocus } from './use-returned-focus.js';
export { useToast } from './toast-context.js';
export { Tooltip } from './Tooltip.js';
export { Stack, TwoColumns, Wrap } from './Wrap.js';
