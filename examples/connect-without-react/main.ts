import { payWith } from '../redeem-with-wagmi.ts'
import { config, kit } from './config.ts'
import { showWallets } from './showWallets.ts'

const part = <element extends HTMLElement>(id: string) => document.getElementById(id) as element // in index.html
const button = part<HTMLButtonElement>('pay')

showWallets(part('wallets'), config)
payWith(button, {
  config,
  kit,
  orderId: part('order').dataset.id ?? '', // your server writes this value into the page
  show: ({ label, signing, userMessage }) => {
    button.textContent = label
    part('signing').textContent = signing?.text ?? ''
    part('problem').textContent = userMessage ?? ''
  },
})
