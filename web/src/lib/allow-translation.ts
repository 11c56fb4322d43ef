/**
 * Lets a browser translate the page. It replaces texts by elements of its own, and React stops the page when it then removes
 * such a text, or puts something before it (https://github.com/facebook/react/issues/11538).
 */
export function allowTranslation(): void {
  const { prototype } = Node;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with a node below
  const { removeChild, insertBefore } = prototype;
  prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    return child.parentNode === this ? (removeChild.call(this, child) as Child) : child;
  };
  prototype.insertBefore = function <Added extends Node>(this: Node, added: Added, next: Node | null): Added {
    return insertBefore.call(this, added, next?.parentNode === this ? next : null) as Added;
  };
}
