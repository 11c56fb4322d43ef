/** The methods by which React takes texts away and puts them in. */
interface Children {
  removeChild: (this: Node, child: Node) => Node;
  insertBefore: (this: Node, added: Node, next: Node | null) => Node;
}

/**
 * Lets a browser translate the page. It replaces texts by elements of its own, and React stops the page when it then removes
 * such a text, or puts something before it (https://github.com/facebook/react/issues/11538).
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
