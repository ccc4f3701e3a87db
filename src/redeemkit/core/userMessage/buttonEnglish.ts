/** The button shows these before the rest of redeemkit is loaded. */
export const buttonEnglish = {
  ModuleLoadError:
    "Part of this page couldn't be loaded. Check your connection and try again, or reload the page.",
  page: 'Something went wrong on this page. If it happens again, contact the shop.',
  stillWaiting: "Still waiting for the payment service. Please don't pay again.",

  'button.notConnected': 'Connect a wallet to pay',
  'button.wrongChain': 'Switch to {network}',
  'button.switchingChain': 'Switch networks in your wallet',
  'button.preparing': 'Preparing your payment',
  'button.checking': 'Checking your payment',
  'button.failed': 'Check again',
  'button.ready': 'Pay {amount}',
  'button.open': 'Resume this payment',
  'button.waitingForOther': 'Payment in progress in another tab',
  'button.signingPermit': 'Confirm in your wallet',
  'button.secondClick': 'Sign the USDC payment',
  'button.signingUsdc': 'Sign the USDC payment in your wallet',
  'button.submitting': 'Sending your payment',
  'button.lookingUp': 'Looking up your payment',
  'button.stillWaiting': 'Still waiting',
  'button.sendNow': 'Retry now',
  'button.confirming': 'Confirming your payment',
  'button.done': 'Paid',
  'button.cancel': 'Cancel',
  'button.receipt': 'Receipt',
} as const

export function speakButton(
  messages: { readonly [key in keyof typeof buttonEnglish]?: string },
  key: keyof typeof buttonEnglish,
  values: Readonly<Record<string, string>> = {},
): string {
  return fillIn(messages[key] ?? buttonEnglish[key], values)
}

export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
