// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {CreditsBase} from "./CreditsBase.sol";
import {CreditsExtension} from "./CreditsExtension.sol";
import {CreditsViews} from "./CreditsViews.sol";
import {ForbiddenCalls} from "./ForbiddenCalls.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {ICredits} from "./ICredits.sol";
import {IUsdc, IUsdcV1, IUsdcV2} from "./IUsdc.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {Setup} from "./RoleGrant.sol";
import {TokenReceiver} from "./TokenReceiver.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title Credits
/// @notice See `ICredits`.
/// @dev The money path, top to bottom: `redeem` checks the signed terms and charges credits (`_spend`), takes the
/// customer's USDC (`_collectUsdc`), executes the settlement (`_execute`) and delivers NFTs. `Books` tracks credits and
/// fees. The functions at the end run code of `CreditsExtension`.
contract Credits is CreditsViews, TokenReceiver {
    using SafeERC20 for IUsdc;

    uint256 private constant MAX_BATCH_REASON = 256;
    /// @dev Gas that a batch keeps back to report a failed item.
    uint256 private constant BATCH_RESERVE = 20_000;
    /// @dev Gas that a batch keeps back for each item's result: 2048.
    uint256 private constant RESULT_RESERVE_BITS = 11;
    /// @dev Upper bound of the gas spent between a gas check and the call that it protects.
    uint256 private constant CALL_OVERHEAD = 2000;

    /// @notice Contract with the code of the rarely used functions. It cannot be replaced.
    address public immutable extension;

    /// @param usdc_ the settlement token, 6 decimals
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param feeRecipient_ the account that receives the gas fees
    /// @param signatureVerifier_ the chain's own signature verifier; zero for none
    /// @param setup initial settings; the admin can set empty ones later
    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    ) CreditsBase(usdc_, admin, adminDelay, feeRecipient_, signatureVerifier_, setup) {
        extension = _deployExtension();
        _setOwnContract(extension, true);
    }

    /// @dev Virtual, like some functions below, so that contracts in `test/mocks` can simulate other services.
    function _deployExtension() internal virtual returns (address) {
        return address(new CreditsExtension(usdc, signatureVerifier));
    }

    // Redeem

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external virtual nonReentrant whenNotPaused {
        _redeem(request, msg.sender);
    }

    /// @inheritdoc ICredits
    /// @dev The parameter order gives this function a low selector, which saves gas: code compiled by IR compares
    /// selectors in ascending order, at 22 gas each.
    function redeemToken(Permit calldata permit, uint256 amount, uint256 gasFee, bytes32 salt, address destination)
        external
        virtual
        nonReentrant
        whenNotPaused
    {
        if (!RedeemHash.isIntentBound(permit.nonce)) revert RandomNoncePermitNotAllowed(permit.creditSeed, msg.sender);
        bytes32 creditSeedHash = keccak256(bytes(permit.creditSeed));
        _spend(permit, creditSeedHash, RedeemHash.tokenSettlement(destination), amount, 0, salt, gasFee, msg.sender);
        _executeToken(destination, amount);
        _emitRedeemed(permit, creditSeedHash, uint160(destination), amount << 128, gasFee);
    }

    function _redeem(RedeemRequest calldata request, address relayer) private {
        Permit calldata permit = request.permit;
        Settlement calldata settlement = request.settlement;
        uint256 amount = request.intent.amount;
        uint256 usdcAmount = request.intent.usdcAmount;
        uint256 gasFee = request.gasFee;
        bytes32 creditSeedHash = keccak256(bytes(permit.creditSeed));

        if (RedeemHash.isIntentBound(permit.nonce)) {
            UsdcMethod method = request.usdcAuthorization.method;
            if (method == UsdcMethod.TransferV1 || method == UsdcMethod.TransferV2) {
                revert ReceiveAuthorizationRequired(permit.nonce);
            }
        }
        bytes32 settlementHash = _settlementHash(settlement);
        _spend(permit, creditSeedHash, settlementHash, amount, usdcAmount, request.intent.salt, gasFee, relayer);
        _collectUsdc(permit, usdcAmount, request.usdcAuthorization);
        uint256 refunded = _execute(permit, amount, settlement, creditSeedHash);

        _emitRedeemed(
            permit,
            creditSeedHash,
            (uint256(settlement.kind) << 160) | uint160(settlement.target),
            (amount << 128) | usdcAmount,
            (refunded << 128) | gasFee
        );
    }

    /// @dev Checks all signed terms, uses up the order and charges credits. Code after this calls only USDC and contracts that the customer
    /// agreed to.
    function _spend(
        Permit calldata permit,
        bytes32 creditSeedHash,
        bytes32 settlementHash,
        uint256 amount,
        uint256 usdcAmount,
        bytes32 salt,
        uint256 gasFee,
        address relayer
    ) private {
        string calldata creditSeed = permit.creditSeed;
        address customerWallet = permit.customerWallet;
        bytes32 nonce = permit.nonce;

        uint256 charged = _requireAmounts(permit.amount, amount, usdcAmount, gasFee);
        if (gasFee != 0 && !hasRole(OPERATOR_ROLE, relayer)) revert GasFeeNotAllowed(relayer, gasFee);
        if (RedeemHash.isIntentBound(nonce)) {
            bytes32 expected =
                RedeemHash.intentNonce(bytes12(nonce), customerWallet, settlementHash, amount, usdcAmount, salt);
            if (nonce != expected) revert IntentMismatch(nonce, expected);
        } else {
            _requireRandomNonceAllowed(creditSeed, creditSeedHash, salt, relayer);
        }
        _requirePermit(permit, creditSeedHash);

        _useOrder(customerWallet, nonce, usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(creditSeed, creditSeedHash, customerWallet, charged, gasFee);
    }

    /// @dev Without a USDC part, credits pay all of `amount`, and credits stay below 2^80. So every number fits in
    /// half a word of `Redeemed`.
    function _requireAmounts(uint256 authorized, uint256 amount, uint256 usdcAmount, uint256 gasFee)
        private
        pure
        returns (uint256 charged)
    {
        if (amount == 0) revert ZeroAmount();
        if (usdcAmount != 0) {
            if (usdcAmount > amount) revert UsdcAmountExceedsAmount(usdcAmount, amount);
            if (amount > type(uint128).max) revert AmountTooLarge(amount, type(uint128).max);
        }
        unchecked {
            charged = amount - usdcAmount + gasFee;
            // A sum that overflows exceeds every permit.
            if (charged < gasFee) charged = type(uint256).max;
        }
        if (charged > authorized) revert ExceedsAuthorized(charged, authorized);
    }

    function _emitRedeemed(
        Permit calldata permit,
        bytes32 creditSeedHash,
        uint256 kindAndTarget,
        uint256 amounts,
        uint256 refundedAndGasFee
    ) private {
        bytes32 nonce = permit.nonce;
        emit Redeemed(
            permit.customerWallet, bytes12(nonce), creditSeedHash, nonce, kindAndTarget, amounts, refundedAndGasFee
        );
    }

    /// @dev Accepts a random nonce only from an operator, and only for a credit seed that allows random nonces.
    function _requireRandomNonceAllowed(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        bytes32 salt,
        address relayer
    ) private view {
        if (!_randomNoncePermits[creditSeedHash] || !hasRole(OPERATOR_ROLE, relayer)) {
            revert RandomNoncePermitNotAllowed(creditSeed, relayer);
        }
        if (salt != 0) revert SaltNotAllowed(salt);
    }

    function _requirePermit(Permit calldata permit, bytes32 creditSeedHash) internal view {
        if (permit.customerWallet == address(0)) revert ZeroAddress("customerWallet");
        if (block.timestamp >= permit.validBefore) revert PermitExpired(permit.validBefore, block.timestamp);
        bytes32 digest = _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, creditSeedHash));
        if (!_isValidSignature(permit.customerWallet, digest, permit.signature)) {
            revert InvalidPermitSignature(permit.customerWallet, digest);
        }
    }

    // Batch

    /// @inheritdoc ICredits
    function redeemBatch(bytes[] calldata requests, uint256[] calldata gasLimits)
        external
        virtual
        nonReentrant
        whenNotPaused
        returns (BatchResult[] memory results)
    {
        uint256 length = requests.length;
        if (length != gasLimits.length) revert BatchLengthMismatch(length, gasLimits.length);
        results = new BatchResult[](length);
        uint256 reserve = BATCH_RESERVE + (length << RESULT_RESERVE_BITS);
        for (uint256 i = 0; i < length; ++i) {
            bytes memory data = _itemCall(requests[i]);
            _requireGas(gasLimits[i], reserve);
            (results[i].success,,) = BoundedCall.call(address(this), 0, gasLimits[i], data);
            if (!results[i].success) {
                results[i].reason = BoundedCall.answer(MAX_BATCH_REASON);
                emit BatchItemFailed(i, results[i].reason);
            }
        }
    }

    /// @notice One item of a batch. Only this contract may call it.
    /// @param relayer the account that sent the batch
    function redeemItem(address relayer, RedeemRequest calldata request) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        _redeem(request, relayer);
    }

    /// @dev An item is `abi.encode(request)`: an offset, then the request. Only the item's own call decodes it, so
    /// malformed bytes make only that item fail.
    function _itemCall(bytes calldata item) private view returns (bytes memory) {
        bytes calldata request = item.length < 32 ? item : item[32:];
        return bytes.concat(abi.encodeWithSelector(this.redeemItem.selector, msg.sender, 64), request);
    }

    // Cancel, mint, burn

    /// @inheritdoc ICredits
    function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes calldata signature)
        external
        virtual
    {
        bytes32 digest = hashCancelCreditsAuthorization(customerWallet, nonce);
        if (!_isValidSignature(customerWallet, digest, signature)) {
            revert InvalidCancelSignature(customerWallet, digest);
        }
        _useOrder(customerWallet, nonce, CANCELLED);
        emit CreditsAuthorizationCancelled(customerWallet, bytes12(nonce), nonce);
    }

    /// @inheritdoc ICredits
    function mint(string calldata creditSeed, address wallet, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyRole(MINTER_ROLE)
    {
        if (wallet == address(0)) revert ZeroAddress("wallet");
        if (amount == 0) revert ZeroAmount();
        uint256 balance = _balance();
        usdc.safeTransferFrom(msg.sender, address(this), amount);
        _requireReceived(balance, amount);

        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _addCredits(creditSeedHash, wallet, amount);
        emit Minted(creditSeedHash, wallet, creditSeed, amount);
    }

    /// @inheritdoc ICredits
    function burn(string calldata creditSeed, address wallet, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyRole(MINTER_ROLE)
    {
        _burn(creditSeed, wallet, amount);
    }

    // The customer's USDC

    /// @dev Takes `value` from the customer. All fields of the authorization come from the permit, so it pays for this redeem only.
    function _collectUsdc(Permit calldata permit, uint256 value, UsdcAuthorization calldata authorization) internal {
        UsdcMethod method = authorization.method;
        bytes calldata signature = authorization.signature;
        if (value == 0) {
            if (method != UsdcMethod.None || signature.length != 0) revert UnexpectedUsdcAuthorization();
            return;
        }
        if (method == UsdcMethod.None) revert MissingUsdcAuthorization();

        bool transfer = method == UsdcMethod.TransferV1 || method == UsdcMethod.TransferV2;
        uint256 balance = _balance();
        if (method == UsdcMethod.TransferV2 || method == UsdcMethod.ReceiveV2) {
            IUsdcV2 token = IUsdcV2(address(usdc));
            (transfer
                    ? token.transferWithAuthorization
                    : token.receiveWithAuthorization)(
                permit.customerWallet, address(this), value, 0, permit.validBefore, permit.nonce, signature
            );
        } else {
            if (signature.length != 65) revert InvalidV1SignatureLength(signature.length);
            IUsdcV1 token = IUsdcV1(address(usdc));
            (transfer
                    ? token.transferWithAuthorization
                    : token.receiveWithAuthorization)(
                permit.customerWallet,
                address(this),
                value,
                0,
                permit.validBefore,
                permit.nonce,
                uint8(signature[64]),
                bytes32(signature[:32]),
                bytes32(signature[32:64])
            );
        }
        _requireReceived(balance, value);
    }

    // Settlement

    /// @return refunded raw units of `amount` that the settlement did not spend
    function _execute(Permit calldata permit, uint256 amount, Settlement calldata settlement, bytes32 creditSeedHash)
        internal
        returns (uint256 refunded)
    {
        Kind kind = settlement.kind;
        _requireUnusedZero(kind, settlement);
        if (kind == Kind.Token) {
            _executeToken(settlement.target, amount);
            return 0;
        }
        bytes4 selector = _requireSelector(settlement.data);
        if (kind == Kind.Decent) refunded = _executeDecent(permit, amount, settlement, creditSeedHash, selector);
        else refunded = _executeCall(permit, amount, settlement, creditSeedHash, selector);
        if (refunded != 0) _addCredits(creditSeedHash, permit.customerWallet, refunded);
        // The settlement called other contracts, so check that USDC still backs all credits and fees.
        _requireSolvent();
    }

    function _requireUnusedZero(Kind kind, Settlement calldata settlement) private pure {
        Bridge calldata bridge = settlement.bridge;
        bool nft = kind == Kind.SafeMint || kind == Kind.Returned || kind == Kind.KnownTokenId;
        if (kind == Kind.Token && settlement.data.length != 0) _revertUnexpectedField(kind, "data");
        if (!nft && settlement.nftContract != address(0)) _revertUnexpectedField(kind, "nftContract");
        if (kind != Kind.KnownTokenId && settlement.nftId != 0) _revertUnexpectedField(kind, "nftId");
        if (kind != Kind.Decent) {
            if (bridge.dstChainId != 0) _revertUnexpectedField(kind, "dstChainId");
            if (bridge.dstToken != address(0)) _revertUnexpectedField(kind, "dstToken");
            if (bridge.isNative) _revertUnexpectedField(kind, "isNative");
            if (bridge.cost != 0) _revertUnexpectedField(kind, "cost");
        } else if (bridge.isNative && bridge.dstToken != address(0)) {
            _revertUnexpectedField(kind, "dstToken");
        }
    }

    /// @dev One function for all checks of unused fields, which reduces the contract's size.
    function _revertUnexpectedField(Kind kind, string memory field) private pure {
        revert UnexpectedField(kind, field);
    }

    function _executeToken(address destination, uint256 amount) internal {
        if (destination == address(0)) revert ZeroAddress("destination");
        _requireNotOwn(destination);
        usdc.safeTransfer(destination, amount);
    }

    function _executeDecent(
        Permit calldata permit,
        uint256 amount,
        Settlement calldata settlement,
        bytes32 creditSeedHash,
        bytes4 selector
    ) private returns (uint256 refunded) {
        Bridge calldata bridge = settlement.bridge;
        address adapter = bridgeAdapter;
        if (adapter == address(0)) revert BridgeAdapterNotSet();
        if (!bridge.isNative && bridge.dstToken == address(0)) revert ZeroAddress("dstToken");
        _requireNotForbidden(settlement.target);
        uint256 minimumGas =
            _requireWhitelisted(permit.creditSeed, creditSeedHash, bridge.dstChainId, settlement.target, selector);

        usdc.forceApprove(adapter, amount);
        IBridgeAdapter(adapter)
            .bridge(
                IBridgeAdapter.Request({
                customer: permit.customerWallet,
                nonce: permit.nonce,
                amount: amount,
                dstChainId: bridge.dstChainId,
                dstToken: bridge.dstToken,
                isNative: bridge.isNative,
                cost: bridge.cost,
                target: settlement.target,
                data: settlement.data,
                minimumGas: minimumGas
            })
            );
        return _takeBackAllowance(adapter);
    }

    function _executeCall(
        Permit calldata permit,
        uint256 amount,
        Settlement calldata settlement,
        bytes32 creditSeedHash,
        bytes4 selector
    ) private returns (uint256 refunded) {
        address target = settlement.target;
        Kind kind = settlement.kind;
        _requireNotForbidden(target);
        if (target.code.length == 0) revert TargetWithoutCode(target);
        uint256 minimumGas = _requireWhitelisted(permit.creditSeed, creditSeedHash, block.chainid, target, selector);
        uint256 balanceBefore = 0;
        if (kind != Kind.Normal) balanceBefore = _prepareNft(permit.creditSeed, settlement, creditSeedHash);

        usdc.forceApprove(target, amount);
        (uint256 word, uint256 size) = balanceBefore == 0
            ? _callTarget(target, settlement.data, minimumGas)
            : _callBesideOlder(settlement, minimumGas);

        refunded = _takeBackAllowance(target);
        address customer = permit.customerWallet;
        if (kind == Kind.Returned) {
            if (size < 32) revert TokenIdNotReturned(size);
            _deliverReturned(settlement.nftContract, word, balanceBefore, customer);
        } else if (kind == Kind.SafeMint) {
            _deliverArrived(settlement.nftContract, customer);
        } else if (kind == Kind.KnownTokenId) {
            _deliverOne(settlement.nftContract, settlement.nftId, _stopAwaiting(), customer);
        }
    }

    function _callTarget(address target, bytes memory data, uint256 minimumGas)
        private
        returns (uint256 word, uint256 size)
    {
        _requireGas(minimumGas, 0);
        bool success;
        (success, word, size) = BoundedCall.call(target, 0, gasleft(), data);
        if (!success) revert CallFailed(target, BoundedCall.answer(MAX_CALL_REASON));
    }

    /// @dev This contract already holds tokens of the NFT contract, and the call could return the ID of an old one. So
    /// the call first runs in `callReturned`, which reverts unless a hook announced a token. After that revert, the
    /// returned ID must be a token that this contract does not own. Then the call runs again, and must return the same
    /// ID.
    function _callBesideOlder(Settlement calldata settlement, uint256 minimumGas)
        private
        returns (uint256 nftId, uint256 size)
    {
        address target = settlement.target;
        address nftContract = settlement.nftContract;
        bool success;
        (success, nftId, size) = BoundedCall.call(
            address(this), 0, gasleft(), abi.encodeCall(this.callReturned, (target, settlement.data, minimumGas))
        );
        if (success) return (nftId, size);
        bool isNew = size == 32 && !_owns(nftContract, nftId);
        uint256 again;
        (again, size) = _callTarget(target, settlement.data, minimumGas);
        if (size >= 32 && (!isNew || again != nftId)) revert TokenNotReceived(nftContract, again);
    }

    /// @dev The refund is the unused allowance. The balance is not used, because it can change for other reasons.
    function _takeBackAllowance(address spender) private returns (uint256 left) {
        left = usdc.allowance(address(this), spender);
        if (left != 0) usdc.forceApprove(spender, 0);
    }

    /// @notice Makes a merchant's call of kind `Returned` in a call frame that can be reverted. Only this contract may call it.
    /// @dev Returns if a hook announced the token. Otherwise reverts with the returned ID as 32 bytes of revert data.
    /// @param target the merchant's contract
    /// @param data its call data
    /// @param minimumGas gas that the call must get
    /// @return nftId the id that the call returned
    function callReturned(address target, bytes calldata data, uint256 minimumGas) external returns (uint256 nftId) {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        uint256 size;
        (nftId, size) = _callTarget(target, data, minimumGas);
        if (size < 32) revert TokenIdNotReturned(size);
        if (_arrivedCount() == 0) {
            assembly ("memory-safe") {
                mstore(0x00, nftId)
                revert(0x00, 0x20)
            }
        }
    }

    function _requireWhitelisted(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        uint256 chainId,
        address target,
        bytes4 selector
    ) internal view returns (uint256) {
        (bool allowed, uint256 minimumGas) = _whitelistRule(creditSeedHash, chainId, target, selector);
        if (!allowed) revert NotWhitelisted(creditSeed, chainId, target, selector);
        return minimumGas;
    }

    /// @dev Whether the target has a whitelist entry on this chain.
    function _isKnown(bytes32 creditSeedHash, address target) internal view returns (bool) {
        return _whitelist[creditSeedHash][block.chainid][target].entries != 0;
    }

    function _requireSelector(bytes calldata data) internal pure returns (bytes4 selector) {
        selector = bytes4(data);
        if (data.length < 4 || ForbiddenCalls.contains(selector)) revert ForbiddenSelector(selector);
    }

    /// @dev A call gets at most 63/64 of the remaining gas, so this check runs right before the call. The reserve is
    /// kept even if the minimum is zero.
    function _requireGas(uint256 minimum, uint256 reserve) internal view {
        uint256 left = gasleft();
        uint256 kept = left / 64 + CALL_OVERHEAD + reserve;
        if (left <= kept) revert InsufficientGas(0, minimum);
        if (left - kept < minimum) revert InsufficientGas(left - kept, minimum);
    }

    // NFTs

    /// @return balanceBefore how many tokens of the NFT contract this contract holds; zero unless the kind is `Returned`
    function _prepareNft(string calldata creditSeed, Settlement calldata settlement, bytes32 creditSeedHash)
        private
        returns (uint256 balanceBefore)
    {
        address nftContract = settlement.nftContract;
        if (nftContract == address(0)) revert ZeroAddress("nftContract");
        if (nftContract != settlement.target) {
            _requireNotForbidden(nftContract);
            if (nftContract.code.length == 0) revert TargetWithoutCode(nftContract);
            if (!_isKnown(creditSeedHash, nftContract)) revert NftContractNotWhitelisted(creditSeed, nftContract);
        }
        if (settlement.kind == Kind.Returned) {
            balanceBefore = _nftBalance(nftContract);
        } else if (settlement.kind == Kind.KnownTokenId && _owns(nftContract, settlement.nftId)) {
            revert TokenAlreadyOwned(nftContract, settlement.nftId);
        }
        _awaitTokens(nftContract);
    }

    function _deliverArrived(address nftContract, address customer) private {
        uint256 count = _stopAwaiting();
        if (count == 0) revert NoTokensArrived(nftContract);
        _forwardArrived(nftContract, count, customer);
    }

    /// @dev Checks that this call delivered the token: a hook announced it, this contract held no token before, or it did not hold this one
    /// (`_callBesideOlder`). Requires that no other token arrived.
    function _deliverReturned(address nftContract, uint256 nftId, uint256 balanceBefore, address customer) private {
        uint256 count = _stopAwaiting();
        if (_nftBalance(nftContract) != balanceBefore + 1) revert TokenNotReceived(nftContract, nftId);
        _deliverOne(nftContract, nftId, count, customer);
    }

    /// @dev Forwards one ERC-721 token. Reverts if a hook announced a different token, which would be left behind.
    function _deliverOne(address nftContract, uint256 nftId, uint256 count, address customer) private {
        if (!_owns(nftContract, nftId)) revert TokenNotReceived(nftContract, nftId);
        for (uint256 i = 0; i < count; ++i) {
            (uint256 id, uint256 value) = _arrived(i);
            if (id != nftId || value != 0) revert UnexpectedToken(nftContract);
        }
        _forward721(nftContract, nftId, customer);
    }

    function _nftBalance(address nftContract) private view returns (uint256) {
        (bool success, uint256 balance, uint256 size) =
            BoundedCall.readOnly(nftContract, abi.encodeCall(IERC721.balanceOf, (address(this))));
        if (!success || size < 32) revert CallFailed(nftContract, BoundedCall.answer(MAX_CALL_REASON));
        return balance;
    }

    function _owns(address nftContract, uint256 nftId) private view returns (bool) {
        (bool success, uint256 owner, uint256 size) =
            BoundedCall.readOnly(nftContract, abi.encodeCall(IERC721.ownerOf, (nftId)));
        return success && size >= 32 && owner == uint160(address(this));
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId)
        public
        view
        virtual
        override(AccessControlDefaultAdminRules, IERC165)
        returns (bool)
    {
        return interfaceId == type(IERC1155Receiver).interfaceId || super.supportsInterface(interfaceId);
    }

    // Rarely used functions, whose code is in `CreditsExtension`

    /// @inheritdoc ICredits
    function withdrawFees() external returns (uint256) {
        _extend();
    }

    /// @inheritdoc ICredits
    function burnBySignature(address, string calldata, uint256, uint256, bytes calldata) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function creditEarlyAuthorization(string calldata, EarlyAuthorization calldata) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function setWhitelist(string calldata, uint256, address, bytes4, bool, bool, uint256) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function setRandomNoncePermits(string calldata, bool) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function setFeeRecipient(address) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function setBridgeAdapter(address) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function setOwnContract(address, bool) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function rescueErc20(IERC20, uint256, address) external {
        _extend();
    }

    /// @inheritdoc ICredits
    function rescueNft(IERC721, uint256, address) external {
        _extend();
    }

    /// @dev Runs the same function of the extension on this contract's storage, and returns or reverts with its result.
    /// Code after this does not run.
    function _extend() private {
        address target = extension;
        assembly ("memory-safe") {
            let data := mload(0x40)
            calldatacopy(data, 0, calldatasize())
            let success := delegatecall(gas(), target, data, calldatasize(), 0, 0)
            returndatacopy(data, 0, returndatasize())
            if iszero(success) { revert(data, returndatasize()) }
            return(data, returndatasize())
        }
    }
}
