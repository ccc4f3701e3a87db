import { buildExtension, extensionFolder } from './buildExtension.ts'

// npm run extension: builds the wallet, and prints how to load it.

await buildExtension()
console.log(`
The wallet is in ${extensionFolder}

  1. Open chrome://extensions, and turn on "Developer mode".
  2. Click "Load unpacked", and choose this folder.
  3. The wallet opens its settings: import a phrase or a key, and choose a password.

"npm run example -- wallet-extension" opens a Chromium with the wallet, a payments service and a shop.
`)
