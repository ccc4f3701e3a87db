// The vault's package uses Node's global of this name. The build adds it where it is used.
export { Buffer } from 'buffer/'
