/** Links that open a page in the browser inside a wallet app, where the wallet is `injected`. */
export function walletLinks(page: URL): { name: string; href: string }[] {
  const { host, pathname, search } = page
  return [{ name: 'MetaMask', href: `https://link.metamask.io/dapp/${host}${pathname}${search}` }]
}
