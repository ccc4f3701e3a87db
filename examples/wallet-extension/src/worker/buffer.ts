// The vault's package uses Node's global `Buffer`. The build replaces it with this one.
export { Buffer } from 'buffer/'
