import type { UserMessages } from 'redeemkit'
import { createRedeemkit } from 'redeemkit/wagmi'
import { baseSepolia } from 'viem/chains'

/** Missing messages fall back to English. With `satisfies UserMessages`, a missing message is a type error instead. */
const spanish = {
  locale: 'es', // for amounts and durations
  UserRejectedError: 'Rechazaste la solicitud en tu billetera. No se te ha cobrado nada.',
  GeoBlockedError: 'No está disponible en tu ubicación.',
  'InsufficientFundsError.credits': 'Tienes {have} en créditos y esto cuesta hasta {need}.',
} satisfies Partial<UserMessages>

export const kit = createRedeemkit({
  baseUrl: 'http://127.0.0.1:4242',
  merchantId: 'sandbox-shop',
  pins: [
    {
      chainId: baseSepolia.id,
      creditsContract: '0xaeFe2d281E200A64cE33030aa3CfC3c79B1Dc1d9', // from your own configuration
      creditSeed: 'sandbox-shop',
    },
  ],
  messages: spanish, // every hook and action now speaks Spanish
})
