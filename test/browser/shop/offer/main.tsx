import '../../../../examples/dapp-redeem/src/styles/index.css'
import { createRoot } from 'react-dom/client'
import { connectShop, type ShopConfig, ShopProviders } from '../../../../examples/dapp-redeem/src/config.tsx'
import { OrderPayment } from '../../../../examples/dapp-redeem/src/payment/OrderPayment.tsx'
import type { Offer } from '../openSale.ts'

/** Sells an offer that the shop does not have. The URL selects the offer. */
const offer: Offer = JSON.parse(new URLSearchParams(window.location.search).get('offer') ?? '')
const shop: ShopConfig = await (await fetch('/shop.json')).json()
const element = document.getElementById('root')
if (element === null) throw new Error('offer.html has no #root.')
const { id, cents, transactionData } = offer
createRoot(element).render(
  <ShopProviders shop={shop} connected={connectShop(shop)}>
    <main className="inner">
      <h1>An offer</h1>
      <OrderPayment
        title={id}
        order={{ purchaseId: id, cents, transactionData }}
        paidTitle="Paid, thank you"
        actions={null}
        onConnect={() => {}}
      />
    </main>
  </ShopProviders>,
)
