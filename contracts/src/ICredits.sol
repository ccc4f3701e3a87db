// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEmergencyPause} from "./IEmergencyPause.sol";
import {ITokenRescue} from "./ITokenRescue.sol";
import {IUsdc} from "./IUsdc.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Credits that a wallet spends without holding gas
/// @notice Holds credits for each pair of credit seed and wallet, and spends them on a permit that the wallet signed.
/// One raw unit of the settlement token (USDC, 6 decimals: 1 USD is 1_000_000) backs each raw unit of credits.
/// @dev Amounts are in raw units. Times are in unix seconds and exclusive. See PROTOCOL.md 3 to 6.
interface ICredits is IEmergencyPause, ITokenRescue {
    /// @notice The kinds of settlement.
    /// @dev The numbers are part of the settlement hash (PROTOCOL.md 4.2).
    enum Kind {
        Token,
        Normal,
        SafeMint,
        Returned,
        KnownTokenId,
        Decent
    }

    /// @notice State of a wallet's order on this contract.
    enum OrderState {
        Unused,
        Redeemed,
        Cancelled
    }

    /// @notice The function of the token that takes the customer's authorization.
    /// @dev V1 splits a packed 65-byte signature into v, r, s. V2 passes the bytes unchanged.
    enum UsdcMethod {
        None,
        TransferV1,
        TransferV2,
        ReceiveV1,
        ReceiveV2
    }

    /// @notice The EIP-712 credit permit: `CreditsAuthorization`.
    /// @param customerWallet the wallet that pays
    /// @param creditSeed name of the merchant's credit balance
    /// @param amount maximum amount of credits to charge, including the gas fee
    /// @param validBefore first second at which the permit is invalid
    /// @param nonce order key (first 12 bytes, single use per wallet) and commitment (last 20 bytes). Bit 255 is set in
    /// an intent-bound nonce, and clear in a random nonce of 32 bytes
    /// @param signature by a key (65 bytes) or a contract (ERC-1271), never split or trimmed
    struct Permit {
        address customerWallet;
        string creditSeed;
        uint256 amount;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice The terms that an intent-bound nonce commits to, in addition to the settlement.
    /// @param amount raw units that the settlement spends
    /// @param usdcAmount part of `amount` that the customer pays in USDC
    /// @param salt 32 random bytes from the customer's client; zero with a random nonce
    struct Intent {
        uint256 amount;
        uint256 usdcAmount;
        bytes32 salt;
    }

    /// @notice The destination of a decent settlement. All zero for the other kinds.
    /// @param dstChainId destination chain
    /// @param dstToken token that the destination's call spends; zero with `isNative`
    /// @param isNative whether the call spends the destination's native coin
    /// @param cost the amount that the call spends, in raw units of that token or in wei
    struct Bridge {
        uint256 dstChainId;
        address dstToken;
        bool isNative;
        uint256 cost;
    }

    /// @notice The settlement that a redeem executes. Fields that its kind does not use are zero.
    /// @param kind the transaction type, which decides which fields are used
    /// @param target contract that is called; the destination of kind `Token`
    /// @param data its call data; empty for kind `Token`
    /// @param nftContract contract of the delivered tokens
    /// @param nftId the delivered token of kind `KnownTokenId`
    /// @param bridge the destination of kind `Decent`
    struct Settlement {
        Kind kind;
        address target;
        bytes data;
        address nftContract;
        uint256 nftId;
        Bridge bridge;
    }

    /// @notice The customer's EIP-3009 authorization. Its other fields follow from the redeem: `from` is the customer,
    /// `to` is this contract, `value` is the intent's `usdcAmount`, `validAfter` is zero, `validBefore` and `nonce` are
    /// the permit's.
    /// @param method `None` exactly when `usdcAmount` is zero
    /// @param signature empty with method `None`
    struct UsdcAuthorization {
        UsdcMethod method;
        bytes signature;
    }

    /// @notice A `TransferWithAuthorization` to this contract that a third party sent to the token.
    /// @dev All fields are as `from` signed them; `to` is this contract.
    /// @param from the wallet that signed it
    /// @param value raw units
    /// @param validAfter unix seconds, exclusive
    /// @param validBefore unix seconds, exclusive
    /// @param nonce the authorization's random nonce
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271)
    struct EarlyAuthorization {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice A complete redeem.
    /// @param permit the signed permit
    /// @param intent amounts and salt
    /// @param settlement the settlement to execute
    /// @param usdcAuthorization the customer's USDC part
    /// @param gasFee raw units that the relayer charges for gas; zero unless an operator sends it
    struct RedeemRequest {
        Permit permit;
        Intent intent;
        Settlement settlement;
        UsdcAuthorization usdcAuthorization;
        uint256 gasFee;
    }

    /// @notice The result of one item of a batch.
    /// @param success whether the redeem was executed
    /// @param reason at most 256 bytes of the revert data; empty with `success`
    struct BatchResult {
        bool success;
        bytes reason;
    }

    /// @notice A redeem was executed. It used up the order of its nonce for this wallet.
    /// @dev Every number is packed into half a word, big-endian. Credits paid `amount - usdcAmount + gasFee`, which is
    /// not a separate field. The order key is a claim that this contract cannot verify: before you consider an order
    /// paid, compare credit seed, kind, target and `amount - refunded` with the order (PROTOCOL.md 4.5).
    /// @param customerWallet the wallet that paid
    /// @param orderKey first 12 bytes of the nonce, left-aligned in the topic
    /// @param creditSeedHash keccak-256 of the credit seed that was charged
    /// @param nonce the permit's nonce
    /// @param kindAndTarget `kind << 160 | target`: the settlement's kind and its target, which is the destination of kind `Token`
    /// @param amounts `amount << 128 | usdcAmount`: the settlement's amount, and the part of it paid in USDC
    /// @param refundedAndGasFee `refunded << 128 | gasFee`: the part of `amount` that the call did not pull, returned as credits, and
    /// the relayer's gas fee
    event Redeemed(
        address indexed customerWallet,
        bytes12 indexed orderKey,
        bytes32 indexed creditSeedHash,
        bytes32 nonce,
        uint256 kindAndTarget,
        uint256 amounts,
        uint256 refundedAndGasFee
    );

    /// @notice A wallet cancelled an order: no attempt at it can be redeemed on this contract anymore.
    /// @param customerWallet the wallet that signed the cancellation
    /// @param orderKey first 12 bytes of the nonce, left-aligned in the topic
    /// @param nonce the nonce in the cancellation
    event CreditsAuthorizationCancelled(address indexed customerWallet, bytes12 indexed orderKey, bytes32 nonce);

    /// @notice A minter paid USDC into the contract, and a wallet received credits.
    /// @param creditSeedHash keccak-256 of the credit seed
    /// @param wallet receives the credits
    /// @param creditSeed name of the credit balance
    /// @param amount raw units
    event Minted(bytes32 indexed creditSeedHash, address indexed wallet, string creditSeed, uint256 amount);

    /// @notice Credits were burned, and the wallet that held them received the USDC behind them.
    /// @param creditSeedHash keccak-256 of the credit seed
    /// @param wallet held the credits and receives the USDC
    /// @param creditSeed name of the credit balance
    /// @param amount raw units
    event Burned(bytes32 indexed creditSeedHash, address indexed wallet, string creditSeed, uint256 amount);

    /// @notice A whitelist entry was set or removed.
    /// @param creditSeedHash keccak-256 of the credit seed
    /// @param chainId chain of the target
    /// @param target contract that a redeem may call
    /// @param creditSeed name of the credit balance
    /// @param selector function that a redeem may call; zero with `anySelector`
    /// @param anySelector whether the entry covers every function of the target
    /// @param allowed false if the entry was removed
    /// @param minimumGas gas that the relayer must leave for the call; zero for a removed entry
    event WhitelistSet(
        bytes32 indexed creditSeedHash,
        uint256 indexed chainId,
        address indexed target,
        string creditSeed,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    );

    /// @notice Permits with random nonces were allowed or forbidden for a credit seed.
    /// @param creditSeedHash keccak-256 of the credit seed
    /// @param creditSeed name of the credit balance
    /// @param allowed whether operators may use such permits
    event RandomNoncePermitsSet(bytes32 indexed creditSeedHash, string creditSeed, bool allowed);

    /// @notice An operator credited an authorization that a third party had sent to the token.
    /// @param from the wallet that signed it and receives the credits
    /// @param nonce its nonce
    /// @param creditSeed name of the credit balance
    /// @param value raw units
    event EarlyAuthorizationCredited(address indexed from, bytes32 indexed nonce, string creditSeed, uint256 value);

    /// @notice All accrued gas fees were paid out.
    /// @param recipient receives them
    /// @param amount raw units
    event FeesWithdrawn(address indexed recipient, uint256 amount);

    /// @notice The fee recipient was set.
    /// @param recipient the account that receives gas fees from now on
    event FeeRecipientSet(address indexed recipient);

    /// @notice The bridge adapter was set. Decent permits that were signed for a previous adapter revert.
    /// @param adapter the adapter; zero for none
    event BridgeAdapterSet(address indexed adapter);

    /// @notice A contract was added to this deployment, or removed from it.
    /// @param account the contract
    /// @param own whether it belongs to the deployment
    event OwnContractSet(address indexed account, bool own);

    /// @notice One item of a batch failed; the others were executed.
    /// @param index its position in the batch
    /// @param reason at most 256 bytes of its revert data
    event BatchItemFailed(uint256 indexed index, bytes reason);

    // Errors: the permit

    /// @notice The permit or the signed exit has expired.
    /// @param validBefore first second at which it is invalid
    /// @param timestamp the current time
    error PermitExpired(uint256 validBefore, uint256 timestamp);

    /// @notice The wallet did not sign this permit.
    /// @param customerWallet the permit's wallet
    /// @param digest EIP-712 digest that the wallet must sign
    error InvalidPermitSignature(address customerWallet, bytes32 digest);

    /// @notice The wallet did not sign this cancellation.
    /// @param customerWallet the wallet
    /// @param digest EIP-712 digest that the wallet must sign
    error InvalidCancelSignature(address customerWallet, bytes32 digest);

    /// @notice The customer did not sign this exit: a field differs, or its nonce was already used.
    /// @param customerWallet the wallet
    /// @param digest EIP-712 digest that the wallet must sign now
    error InvalidBurnSignature(address customerWallet, bytes32 digest);

    /// @notice The order was already redeemed or cancelled, by this nonce or by a different nonce with the same order key.
    /// @param wallet the wallet that pays
    /// @param orderKey first 12 bytes of the nonce
    /// @param state `Redeemed` or `Cancelled`
    /// @param commitment last 20 bytes of the nonce that used the order
    error OrderUsed(address wallet, bytes12 orderKey, OrderState state, bytes20 commitment);

    /// @notice The nonce does not commit to the intent that was sent with it.
    /// @param nonce the permit's nonce
    /// @param expected the nonce of the intent that was sent, with the same order key
    error IntentMismatch(bytes32 nonce, bytes32 expected);

    /// @notice A permit with a random nonce requires an operator and a credit seed that allows it. `redeemToken` never accepts one.
    /// @param creditSeed the permit's credit seed
    /// @param relayer the account that sent it
    error RandomNoncePermitNotAllowed(string creditSeed, address relayer);

    /// @notice A random nonce commits to no intent, so the salt must be zero.
    /// @param salt the salt that was sent
    error SaltNotAllowed(bytes32 salt);

    // Errors: amounts and accounting

    /// @notice An amount is zero.
    error ZeroAmount();

    /// @notice An address is zero.
    /// @param field its name
    error ZeroAddress(string field);

    /// @notice The USDC part exceeds the whole amount.
    /// @param usdcAmount raw units to be paid in USDC
    /// @param amount raw units that the settlement spends
    error UsdcAmountExceedsAmount(uint256 usdcAmount, uint256 amount);

    /// @notice The amount does not fit in half a word of `Redeemed`.
    /// @param amount raw units
    /// @param maximum 2^128 - 1
    error AmountTooLarge(uint256 amount, uint256 maximum);

    /// @notice The redeem would charge more credits than the permit allows.
    /// @param charged raw units: `amount - usdcAmount + gasFee`
    /// @param authorized raw units: the permit's amount
    error ExceedsAuthorized(uint256 charged, uint256 authorized);

    /// @notice The wallet does not have enough credits.
    /// @param creditSeed name of the credit balance
    /// @param wallet the wallet
    /// @param balance raw units that it has
    /// @param needed raw units that it needs
    error InsufficientCredits(string creditSeed, address wallet, uint256 balance, uint256 needed);

    /// @notice Only an operator may charge a gas fee.
    /// @param relayer the account that sent the redeem
    /// @param gasFee raw units
    error GasFeeNotAllowed(address relayer, uint256 gasFee);

    /// @notice Credits and fees together would exceed the maximum that the accounting can hold.
    /// @param owed raw units of credits and fees, after the addition
    /// @param maximum 2^80 - 1
    error TooManyCredits(uint256 owed, uint256 maximum);

    /// @notice The contract's USDC would not cover all credits and fees.
    /// @param balance raw units of USDC
    /// @param owed raw units of credits and fees
    error Insolvent(uint256 balance, uint256 owed);

    // Errors: the customer's USDC

    /// @notice `usdcAmount` is above zero, but the redeem has no authorization.
    error MissingUsdcAuthorization();

    /// @notice `usdcAmount` is zero, but the redeem has an authorization.
    error UnexpectedUsdcAuthorization();

    /// @notice A V1 authorization requires a 65-byte signature.
    /// @param length bytes of the signature that was sent
    error InvalidV1SignatureLength(uint256 length);

    /// @notice An intent-bound permit requires `ReceiveWithAuthorization`, because anyone can execute a `TransferWithAuthorization`.
    /// @param nonce the permit's nonce
    error ReceiveAuthorizationRequired(bytes32 nonce);

    /// @notice The token did not move the requested amount.
    /// @param received raw units that arrived
    /// @param expected raw units that were requested
    error TransferredAmountMismatch(uint256 received, uint256 expected);

    /// @notice An early authorization can be credited only if its nonce is random.
    /// @param nonce the authorization's nonce
    error RandomNonceRequired(bytes32 nonce);

    /// @notice The surplus is smaller than the early authorization.
    /// @param surplus raw units that back no credits or fees
    /// @param needed raw units of the authorization
    error InsufficientSurplus(uint256 surplus, uint256 needed);

    /// @notice The token has not used or cancelled the authorization's nonce.
    /// @param from the wallet that signed
    /// @param nonce its nonce
    error AuthorizationNotUsed(address from, bytes32 nonce);

    /// @notice The authorization was already credited, or collected by a redeem.
    /// @param from the wallet that signed
    /// @param nonce its nonce
    error AuthorizationAlreadyCredited(address from, bytes32 nonce);

    /// @notice The wallet did not sign this early authorization.
    /// @param from the wallet
    /// @param digest EIP-712 digest in the token's domain that the wallet must sign
    error InvalidEarlyAuthorization(address from, bytes32 digest);

    // Errors: the settlement

    /// @notice The settlement sets a field that its kind does not use.
    /// @param kind the settlement's kind
    /// @param field name of the field
    error UnexpectedField(Kind kind, string field);

    /// @notice A redeem cannot pay or call this address.
    /// @param target USDC, this contract, Permit2 or another contract of the deployment
    error ForbiddenTarget(address target);

    /// @notice A redeem cannot call this function: it could move this contract's tokens, or grant rights over them.
    /// @param selector the function
    error ForbiddenSelector(bytes4 selector);

    /// @notice There is no contract at this address.
    /// @param target the address
    error TargetWithoutCode(address target);

    /// @notice The call is not on the credit seed's whitelist.
    /// @param creditSeed name of the credit balance
    /// @param chainId chain of the target
    /// @param target contract to be called
    /// @param selector function to be called
    error NotWhitelisted(string creditSeed, uint256 chainId, address target, bytes4 selector);

    /// @notice The NFT contract differs from the target and has no whitelist entry.
    /// @param creditSeed name of the credit balance
    /// @param nftContract the NFT contract
    error NftContractNotWhitelisted(string creditSeed, address nftContract);

    /// @notice The chain id is zero.
    /// @param chainId the chain id that was sent
    error UnsupportedChain(uint256 chainId);

    /// @notice A whitelist entry requires a minimum gas between 1 and the maximum.
    /// @param minimumGas the minimum that was passed
    /// @param maximum the highest minimum that an entry can have
    error MinimumGasOutOfBounds(uint256 minimumGas, uint256 maximum);

    /// @notice The relayer supplied too little gas for the call.
    /// @param available gas that the call would get
    /// @param minimum gas that it needs
    error InsufficientGas(uint256 available, uint256 minimum);

    /// @notice A call to a merchant's contract or an NFT contract reverted.
    /// @param target the contract
    /// @param reason at most 1,024 bytes of its revert data
    error CallFailed(address target, bytes reason);

    /// @notice Kind `Decent` needs a bridge adapter, and none is set.
    error BridgeAdapterNotSet();

    // Errors: NFTs

    /// @notice The call delivered no token through a receiver hook.
    /// @param nftContract the NFT contract
    error NoTokensArrived(address nftContract);

    /// @notice The call delivered too many tokens.
    /// @param maximum 16
    error TooManyTokens(uint256 maximum);

    /// @notice A token arrived that no running redeem expects.
    /// @param sender the NFT contract that sent it
    error UnexpectedToken(address sender);

    /// @notice This call did not deliver the token.
    /// @param nftContract the NFT contract
    /// @param nftId the token
    error TokenNotReceived(address nftContract, uint256 nftId);

    /// @notice The contract already held the token before the call.
    /// @param nftContract the NFT contract
    /// @param nftId the token
    error TokenAlreadyOwned(address nftContract, uint256 nftId);

    /// @notice A call of kind `Returned` returned less than one word.
    /// @param length bytes that it returned
    error TokenIdNotReturned(uint256 length);

    // Errors: calls

    /// @notice A batch requires one gas limit for each item.
    /// @param items number of requests
    /// @param gasLimits number of gas limits
    error BatchLengthMismatch(uint256 items, uint256 gasLimits);

    /// @notice Only the contract itself may call this function.
    /// @param caller the account that called it
    error OnlySelf(address caller);

    // Money

    /// @notice Executes one redeem. Anyone may call it; only an operator may charge a gas fee or use a random nonce.
    /// @param request the signed permit and the terms that it pays for
    function redeem(RedeemRequest calldata request) external;

    /// @notice Executes one redeem of kind `Token` that is paid only in credits. Uses the same nonce and emits the same
    /// event as `redeem` with that settlement, but costs less gas.
    /// @dev Intent-bound permits only. Anyone may call it; only an operator may charge a gas fee.
    /// @param permit the signed permit
    /// @param amount raw units of USDC that `destination` receives
    /// @param gasFee raw units that the relayer charges for gas; zero unless an operator sends it
    /// @param salt the intent's salt
    /// @param destination receives the USDC; not zero, USDC or a contract of this deployment
    function redeemToken(Permit calldata permit, uint256 amount, uint256 gasFee, bytes32 salt, address destination)
        external;

    /// @notice Executes several redeems, each with its own gas limit. A failed or malformed item does not affect the others.
    /// @param requests each `abi.encode(RedeemRequest)`
    /// @param gasLimits gas for each item, same order and length
    /// @return results one per item
    function redeemBatch(bytes[] calldata requests, uint256[] calldata gasLimits)
        external
        returns (BatchResult[] memory results);

    /// @notice Cancels the order of a nonce: from now on, every attempt at it, by any nonce with the same first 12
    /// bytes, reverts on this contract. Anyone may send the wallet's signature of `CancelCreditsAuthorization`. Works
    /// while paused.
    /// @param customerWallet the wallet that signed
    /// @param nonce any nonce of the order
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271)
    function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes calldata signature) external;

    /// @notice Takes USDC from the minter and gives credits to a wallet. Callable only by a minter.
    /// @param creditSeed name of the credit balance
    /// @param wallet receives the credits
    /// @param amount raw units
    function mint(string calldata creditSeed, address wallet, uint256 amount) external;

    /// @notice Takes credits from a wallet and pays the USDC behind them to that wallet. Callable only by a minter.
    /// @param creditSeed name of the credit balance
    /// @param wallet holds the credits and receives the USDC
    /// @param amount raw units
    function burn(string calldata creditSeed, address wallet, uint256 amount) external;

    /// @notice Pays all accrued gas fees to the fee recipient. Anyone may call it.
    /// @return amount raw units
    function withdrawFees() external returns (uint256 amount);

    /// @notice Takes credits from a customer and pays the USDC behind them to the same wallet. The wallet signs
    /// `BurnCredits(address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,uint256 nonce)`. Anyone
    /// may relay the signature. Emits `Burned`.
    /// @dev Closed in the first 3 days of a pause. Lifting a pause and pausing again does not restart the 3 days
    /// (`exitOpensAt`). Reverts unless USDC backs all credits and fees afterwards, so that no exit is paid with other
    /// customers' money. Anyone holding the customer's key can also use this exit.
    /// @param customerWallet holds the credits and receives the USDC
    /// @param creditSeed name of the credit balance
    /// @param amount raw units, above zero
    /// @param validBefore unix seconds, exclusive
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271); its nonce is `burnNonce(customerWallet)`
    function burnBySignature(
        address customerWallet,
        string calldata creditSeed,
        uint256 amount,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice Credits a transfer authorization that a third party executed before its redeem. Gives `from` the signed
    /// `value`, once per (from, nonce), and only out of surplus. Accepts only random nonces. Callable only by an operator.
    /// @dev The contract verifies that `from` signed a transfer of `value` to this contract with this nonce, that the
    /// token has used the nonce, that no redeem collected it, that it was not credited before, and that the surplus
    /// covers `value`. It cannot verify that this transfer used the nonce: a cancellation or a different authorization
    /// with the same nonce sets the same flag in the token. So the operator must check that in the token's logs,
    /// `Transfer(from, this contract, value)` directly follows `AuthorizationUsed(from, nonce)`. A wrong call can take
    /// surplus, but never the backing of credits and fees.
    /// @param creditSeed name of the credit balance
    /// @param authorization the executed authorization
    function creditEarlyAuthorization(string calldata creditSeed, EarlyAuthorization calldata authorization) external;

    // Administration

    /// @notice Sets one whitelist entry of a credit seed. Rejects an entry that no redeem could use (PROTOCOL.md 6.3).
    /// Callable only by a whitelister.
    /// @param creditSeed name of the credit balance
    /// @param chainId chain of the target: this chain, or a decent destination
    /// @param target the contract
    /// @param selector the allowed function; ignored with `anySelector`. An entry for one function takes precedence
    /// over the entry with `anySelector`, which applies to that function again once its own entry is removed
    /// @param anySelector covers every function except those whose data holds further calls (`multicall` and similar)
    /// @param allowed false removes the entry
    /// @param minimumGas gas that the relayer must leave for the call: above 0 for an allowed entry, and at most the
    /// maximum that `MinimumGasOutOfBounds` names. Without a minimum, a relayer could make a delivery run out of gas
    /// inside a merchant's contract that catches the failure. Customers do not sign the minimum, so a lower one also
    /// applies to permits that are already signed
    function setWhitelist(
        string calldata creditSeed,
        uint256 chainId,
        address target,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    ) external;

    /// @notice Sets whether operators may use permits with random nonces for a credit seed. Callable only by a whitelister.
    /// @param creditSeed name of the credit balance
    /// @param allowed whether they may
    function setRandomNoncePermits(string calldata creditSeed, bool allowed) external;

    /// @notice Sets the account that receives the gas fees. Callable only by the admin.
    /// @param recipient the account; not zero or this contract
    function setFeeRecipient(address recipient) external;

    /// @notice Sets the bridge adapter of decent settlements. Callable only by the admin.
    /// @param adapter a contract; zero for none
    function setBridgeAdapter(address adapter) external;

    /// @notice Moves ERC-20 tokens that arrived by mistake, except USDC, because surplus USDC may be a customer's. Callable only by the
    /// admin.
    /// @param token its contract
    /// @param amount raw units
    /// @param to their receiver
    function rescueErc20(IERC20 token, uint256 amount, address to) external;

    /// @notice Moves an ERC-721 token that arrived by mistake. Callable only by the admin.
    /// @dev While the contract holds such a token, `Returned` redeems at its token contract use twice the gas if that
    /// contract mints without a hook. They still fit in a transaction if the call uses less than 8 million gas.
    /// @param nftContract its contract
    /// @param nftId the token
    /// @param to its receiver
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) external;

    /// @notice Adds a contract to this deployment, or removes it. A redeem cannot pay or call such a contract, because
    /// USDC there would have no owner. `setBridgeAdapter` adds the adapter and its executor. Callable only by the admin, who could use it
    /// to block redeems to any account.
    /// @param account the contract; the current bridge adapter cannot be removed
    /// @param own whether it belongs to this deployment
    function setOwnContract(address account, bool own) external;

    // Views

    /// @notice Returns the credits of a wallet, in raw units.
    /// @param creditSeed name of the credit balance
    /// @param wallet the wallet
    /// @return raw units; zero for an unknown seed or wallet
    function creditsOf(string calldata creditSeed, address wallet) external view returns (uint256);

    /// @notice Returns the same as `creditsOf`, under the name that other services' pages call.
    /// @dev Origin: github.com/melahi5-cf/CreditFlow, src/lib/creditsContract.ts.
    /// @param wallet the wallet
    /// @param creditSeed name of the credit balance
    /// @return raw units
    function getCreditsBalance(address wallet, string calldata creditSeed) external view returns (uint256);

    /// @notice Returns the state of a wallet's order on this contract. Other chains and contracts keep separate states.
    /// @param wallet the wallet that pays
    /// @param orderKey first 12 bytes of the nonce
    /// @return state whether the order is unused, redeemed or cancelled
    /// @return commitment last 20 bytes of the nonce that used it; zero while unused
    /// @return timestamp when it was used, in unix seconds; zero while unused
    function orderState(address wallet, bytes12 orderKey)
        external
        view
        returns (OrderState state, bytes20 commitment, uint40 timestamp);

    /// @notice Returns the sum of all credits, in raw units.
    function totalCredits() external view returns (uint256);

    /// @notice Returns the gas fees that were not paid out yet, in raw units.
    function feesOwed() external view returns (uint256);

    /// @notice Returns the USDC that backs no credits or fees: `balance - totalCredits - feesOwed`, or zero.
    /// @dev Reverts during a redeem, because the balance then includes the amount that the merchant may still pull.
    function surplus() external view returns (uint256);

    /// @notice Compares the USDC balance with all credits and fees. At most one of the two results is above zero.
    /// @dev Reverts during a redeem, like `surplus`. Only the token itself can cause a shortage; during a shortage,
    /// only redeems of kind `Token` pay out.
    /// @return excess raw units of USDC above `totalCredits + feesOwed`
    /// @return shortage raw units of USDC missing from `totalCredits + feesOwed`
    function solvency() external view returns (uint256 excess, uint256 shortage);

    /// @notice Returns the account that receives the gas fees.
    function feeRecipient() external view returns (address);

    /// @notice Returns the bridge adapter of decent settlements; zero for none.
    function bridgeAdapter() external view returns (address);

    /// @notice Returns the settlement token.
    function usdc() external view returns (IUsdc);

    /// @notice Returns whether a contract belongs to this deployment. Returns false for this contract and USDC,
    /// although a redeem cannot pay or call those either.
    /// @param account the contract
    /// @return true if it belongs to the deployment
    function isOwnContract(address account) external view returns (bool);

    /// @notice Returns whether operators may use permits with random nonces for a credit seed.
    /// @param creditSeed name of the credit balance
    /// @return true if they may
    function randomNoncePermitsAllowed(string calldata creditSeed) external view returns (bool);

    /// @notice Returns whether a redeem may make a call, and the gas that the call must get.
    /// @param creditSeed name of the credit balance
    /// @param chainId chain of the target
    /// @param target the contract
    /// @param selector the function
    /// @return allowed whether the redeem may make the call
    /// @return minimumGas gas that the relayer must leave for the call
    function whitelisted(string calldata creditSeed, uint256 chainId, address target, bytes4 selector)
        external
        view
        returns (bool allowed, uint256 minimumGas);

    /// @notice Returns the EIP-712 digest that a wallet signs for a permit.
    /// @param permit the permit; its signature is ignored
    /// @return digest 32 bytes
    function hashCreditsAuthorization(Permit calldata permit) external view returns (bytes32 digest);

    /// @notice Returns the EIP-712 digest that a wallet signs to cancel an order.
    /// @param customerWallet the wallet
    /// @param nonce any nonce of the order
    /// @return digest 32 bytes
    function hashCancelCreditsAuthorization(address customerWallet, bytes32 nonce)
        external
        view
        returns (bytes32 digest);

    /// @notice Returns the EIP-712 digest that a customer signs for `burnBySignature` now.
    /// @param customerWallet holds the credits
    /// @param creditSeed name of the credit balance
    /// @param amount raw units
    /// @param validBefore unix seconds, exclusive
    /// @return digest 32 bytes
    function hashBurnCredits(address customerWallet, string calldata creditSeed, uint256 amount, uint256 validBefore)
        external
        view
        returns (bytes32 digest);

    /// @notice Returns the nonce of the wallet's next `BurnCredits`: the number of its executed exits. Order keys and
    /// permits do not change it.
    /// @param customerWallet the wallet
    /// @return the nonce
    function burnNonce(address customerWallet) external view returns (uint256);

    /// @notice Returns the hash of a settlement that an intent-bound nonce commits to (PROTOCOL.md 4.2).
    /// @dev A decent settlement is hashed with the current `bridgeAdapter`.
    /// @param settlement the settlement
    /// @return the hash
    function hashSettlement(Settlement calldata settlement) external view returns (bytes32);

    /// @notice Returns the intent-bound nonce of an intent: the order key, with the highest bit set, and the commitment.
    /// @param orderKey 12 bytes; the result always has the highest bit set
    /// @param customerWallet the wallet that pays
    /// @param settlementHash `hashSettlement` of what is executed
    /// @param intent amounts and salt
    /// @return the nonce
    function intentNonce(bytes12 orderKey, address customerWallet, bytes32 settlementHash, Intent calldata intent)
        external
        pure
        returns (bytes32);

    /// @notice Returns the EIP-712 domain separator: `name` "Credits", `version` "1", chain id and this contract.
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
