import type { Route } from '../http/route.ts'
import { cardCheckout } from './card/cardCheckout.ts'
import { challengePages } from './card/challengePage.ts'
import { savedCardCheckout } from './card/savedCardCheckout.ts'
import { savedCards } from './card/savedCards.ts'
import { tokenize } from './card/tokenize.ts'
import { zeroAuthorization } from './card/zeroAuthorization.ts'
import { cardFormPages } from './cardForm/cardFormPage.ts'
import { cardFormPurchase } from './cardForm/cardFormPurchase.ts'
import { cardFormToken } from './cardForm/cardFormToken.ts'
import { mobileApp } from './orders/mobileApp.ts'
import { mobileAppPages } from './orders/mobileAppPage.ts'
import { pix } from './orders/pix.ts'
import { wireAccount } from './orders/wireAccount.ts'
import { wireToken } from './orders/wireToken.ts'
import { totals } from './totals/totals.ts'
import { usdcAuthorization } from './usdcAuthorization.ts'
import { voidPayment } from './voidPayment.ts'

/** Checkouts on every rail, and what leads to them (PROTOCOL.md 2.3, 2.6, 2.11). */
export const checkoutRoutes: readonly Route[] = [
  usdcAuthorization,
  totals,
  tokenize,
  cardCheckout,
  ...challengePages,
  zeroAuthorization,
  savedCardCheckout,
  savedCards,
  ...cardFormPages,
  cardFormToken,
  cardFormPurchase,
  wireToken,
  wireAccount,
  pix,
  mobileApp,
  ...mobileAppPages,
  voidPayment,
]
