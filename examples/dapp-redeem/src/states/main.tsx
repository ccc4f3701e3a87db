import '../styles/index.css'
import { createRoot } from 'react-dom/client'
import { mockPurchase, redeemStates } from 'redeemkit/mock'
import { Plate } from '../art/Moth.tsx'
import { PaymentPanel } from '../payment/PaymentPanel.tsx'
import { Receipt } from '../payment/Receipt.tsx'
import { applyKeptTheme } from '../ThemeToggle.tsx'

applyKeptTheme()
const nothing = () => {}

const { cents } = mockPurchase.subtotal
const usdcCents = mockPurchase.usdcAmount.cents
const states = redeemStates.flatMap(({ name, shown: button }) => [
  { name, button, isOnline: true },
  ...(name === 'preparing' ? [{ name: 'offline', button, isOnline: false }] : []),
])

function States() {
  return (
    <main className="inner">
      <h1>Every state of a payment</h1>
      <ul className="grid states section">
        {states.map(({ name, button, isOnline }) => (
          <li key={name}>
            <p className="quiet">{name}</p>
            {button.data ? (
              <div className="card">
                <Receipt
                  title="It is yours"
                  data={button.data}
                  isFresh={false}
                  explorerUrl={undefined}
                  localUrl="http://127.0.0.1/dashboard"
                  received={<Plate species={2} serial={7} title="Moon Ferry, number 7" />}
                  actions={
                    <a className="button" href="#/cabinet">
                      See my cabinet
                    </a>
                  }
                />
              </div>
            ) : (
              <PaymentPanel
                purchase={{ title: 'Moon Ferry', cents, usdcCents }}
                button={button}
                has={{ creditsCents: 100_000, usdcCents: 100_000 }}
                isOnline={isOnline}
                onUsdcCents={nothing}
                onClick={nothing}
                onConnect={nothing}
                onCancel={nothing}
              />
            )}
          </li>
        ))}
      </ul>
    </main>
  )
}

const element = document.getElementById('root')
if (element === null) throw new Error('states.html has no #root.')
createRoot(element).render(<States />)
