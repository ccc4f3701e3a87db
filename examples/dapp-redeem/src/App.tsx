import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { formatUsd } from 'redeemkit'
import { useOpenRedeems } from 'redeemkit/react'
import { Dialog } from './Dialog.tsx'
import { Footer, Header, UnknownPage, useOnline } from './Layout.tsx'
import { hrefOfOrder, orderQuery } from './orders.ts'
import { BillPage, BillsPage } from './pages/Bills.tsx'
import { CabinetPage } from './pages/CabinetPage.tsx'
import { CreditsPage, SocietyPage } from './pages/MemberPages.tsx'
import { MothPage } from './pages/MothPage.tsx'
import { MothsPage } from './pages/MothsPage.tsx'
import { hrefOf, type Route, useRoute } from './routes.ts'
import { WalletButton, WalletWindow } from './wallet/Wallet.tsx'

export function App() {
  const route = useRoute()
  const isOnline = useOnline()
  const [isWalletOpen, setWalletOpen] = useState(false)
  const openWallet = () => setWalletOpen(true)
  return (
    <div className="page">
      <Header route={route} tools={<WalletButton onClick={openWallet} />} />
      {!isOnline && (
        <div className="banner" role="status">
          <p className="inner">
            <strong>You are offline.</strong> The shop continues when you are back online.
          </p>
        </div>
      )}
      <OpenPayments route={route} />
      <main id="main" tabIndex={-1}>
        <div className="inner">
          <Page route={route} onConnect={openWallet} />
        </div>
      </main>
      <Footer />
      <Dialog title="Your wallet" isOpen={isWalletOpen} onClose={() => setWalletOpen(false)}>
        <WalletWindow onDone={() => setWalletOpen(false)} />
      </Dialog>
    </div>
  )
}

/** Lists payments that are still open after a reload or a lost response, except on their own page. */
function OpenPayments({ route }: { route: Route }) {
  const { data } = useOpenRedeems()
  const here = hrefOf(route)
  // An unsigned payment cannot have been executed.
  const begun = (data?.open ?? []).filter(({ state }) => state !== 'begun')
  const orders = useQueries({ queries: begun.map(({ options }) => orderQuery(options.purchaseId)) })
  const open = begun.flatMap(({ amount }, index) => {
    const order = orders[index]?.data
    const href = order && hrefOfOrder(order)
    return href === undefined || href === here ? [] : [{ href, amount: formatUsd(BigInt(amount)) }]
  })
  if (open.length === 0) return null
  return (
    <section className="banner" aria-label="Open payments">
      <ul className="inner">
        {open.map(({ href, amount }) => (
          <li key={href}>
            <strong>A payment of {amount} is open.</strong> You signed it, but it is not confirmed yet.{' '}
            <a href={href}>Resume it</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Page({ route, onConnect }: { route: Route; onConnect: () => void }) {
  switch (route.page) {
    case 'moths':
      return <MothsPage />
    case 'moth':
      return <MothPage key={route.slug} slug={route.slug} orderId={route.orderId} onConnect={onConnect} />
    case 'cabinet':
      return <CabinetPage onConnect={onConnect} />
    case 'bills':
      return <BillsPage />
    case 'bill':
      return <BillPage key={route.number} number={route.number} onConnect={onConnect} />
    case 'credits':
      return <CreditsPage onConnect={onConnect} />
    case 'society':
      return <SocietyPage onConnect={onConnect} />
    default:
      return <UnknownPage />
  }
}
