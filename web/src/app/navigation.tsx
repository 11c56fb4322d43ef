import { type ComponentProps, createContext, type MouseEvent, use } from 'react';

/**
 * The current location, and functions to change it. The header and the public page use this instead of the router, so that
 * a visitor who only writes a message never loads it.
 */
export interface Navigation {
  pathname: string;
  navigate: (to: string) => void;
}

export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (navigation === null) throw new Error('useNavigation() needs a provider.');
  return navigation;
}

/** True if the browser should open the link itself, as in a new tab. */
const isForBrowser = ({ defaultPrevented, button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey;

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string;
}

/** A link within the site. */
export function Link({ to, onClick, ...rest }: Props) {
  const { navigate } = useNavigation();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (isForBrowser(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
