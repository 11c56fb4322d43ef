/** Methods by which React inserts and removes nodes. */
interface Children {
  removeChild: (this: Node, child: Node) => Node;
  insertBefore: (this: Node, added: Node, next: Node | null) => Node;
}

/**
 * Page translators replace text nodes, and React crashes when it removes or inserts before one that is gone
 * (https://github.com/facebook/react/issues/11538).
 */
export function allowTranslation(): void {
  const children = Node.prototype as Children;
  const { removeChild, insertBefore } = children;
  children.removeChild = function (child) {
    return child.parentNode === this ? removeChild.call(this, child) : child;
  };
  children.insertBefore = function (added, next) {
    return insertBefore.call(this, added, next?.parentNode === this ? next : null);
  };
}
