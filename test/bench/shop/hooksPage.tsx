import { createRedeemkit, RedeemkitProvider } from 'redeemkit/react'
import { RedeemButton } from './RedeemButton.tsx'
import { showPage } from './showPage.tsx'

const { baseUrl, merchantId, pinned, purchaseId, usdcCents, shop } = window.settings

const kit = createRedeemkit({ baseUrl, merchantId, pins: [{ ...pinned, chainId: 84532 }] })

showPage(
  <RedeemkitProvider kit={kit}>
    <RedeemButton
      purchaseId={purchaseId}
      subtotal={{ cents: 1000 }}
      usdcAmount={usdcCents > 0 ? { cents: usdcCents } : undefined}
      transactionData={{ type: 'token', destination: shop }}
    />
  </RedeemkitProvider>,
)
