import { useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { Footer, Header, useOnline } from './Layout.tsx'
import { BillPage, BillsPage } from './pages/Bills.tsx'
import { CabinetPage } from './pages/CabinetPage.tsx'
import { CreditsPage, SocietyPage } from './pages/MemberPages.tsx'
import { MothPage } from './pages/MothPage.tsx'
import { MothsPage } from './pages/MothsPage.tsx'
import { UnknownPage } from './pages/UnknownPage.tsx'
import { OpenPayments } from './payment/OpenPayments.tsx'
import { type Route, useRoute } from './routes.ts'
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
