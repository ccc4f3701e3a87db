// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {ICredits} from "./ICredits.sol";
import {ISignatureVerifier} from "./ISignatureVerifier.sol";
import {IUsdc} from "./IUsdc.sol";
import {NeverList} from "./NeverList.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {TokenReceiver} from "./TokenReceiver.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Credits
/// @notice See `ICredits`.
/// @dev Backing: `usdc.balanceOf(this) >= totalCredits + feesOwed` before and after every call. One transient lock covers
/// everything that moves money, so that nothing observes or uses the balance in the middle of a merchant's call.
contract Credits is
    ICredits,
    TokenReceiver,
    AccessControlDefaultAdminRules,
    Pausable,
    EIP712,
    ReentrancyGuardTransient
{
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    /// @notice Relays redeems for a fee, uses unbound permits, credits early authorizations.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    /// @notice Mints and burns credits.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    /// @notice Sets whitelist entries and whether a credit seed takes unbound permits.
    bytes32 public constant WHITELIST_ROLE = keccak256("WHITELIST_ROLE");
    /// @notice Stops and restarts everything but cancelling and administration.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @dev What is known of a (wallet, nonce): a set of these.
    uint256 private constant REDEEMED = 1;
    uint256 private constant CANCELLED = 2;
    uint256 private constant USDC_COLLECTED = 4;
    uint256 private constant CREDITED_EARLY = 8;

    uint256 private constant MAX_BATCH_REASON = 256;
    /// @dev More than what is spent between a gas check and its call.
    uint256 private constant CALL_OVERHEAD = 2000;
    /// @dev What a batch keeps back for noting a failed item.
    uint256 private constant BATCH_RESERVE = 20_000;

    /// @dev One slot. USDC's supply is far below 2^128.
    struct Totals {
        uint128 credits;
        uint128 fees;
    }

    struct WhitelistEntry {
        bool allowed;
        uint64 minimumGas;
    }

    struct WhitelistTarget {
        WhitelistEntry any;
        uint32 entries;
        mapping(bytes4 selector => WhitelistEntry) selectors;
    }

    /// @inheritdoc ICredits
    address public immutable usdc;
    /// @notice The chain's own signature verifier (TIP-1020); zero where there is none.
    address public immutable signatureVerifier;

    Totals private _totals;
    mapping(bytes32 creditSeedHash => mapping(address wallet => uint256)) private _credits;
    mapping(address wallet => mapping(bytes32 nonce => uint256)) private _nonces;
    mapping(bytes32 creditSeedHash => mapping(uint256 chainId => mapping(address target => WhitelistTarget))) private
        _whitelist;
    mapping(bytes32 creditSeedHash => bool) private _unboundPermits;

    /// @inheritdoc ICredits
    address public feeRecipient;
    /// @inheritdoc ICredits
    address public bridgeAdapter;

    /// @param usdc_ the settlement token, 6 decimals
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param feeRecipient_ receives the gas fees
    /// @param signatureVerifier_ the chain's own signature verifier; zero for none
    constructor(address usdc_, address admin, uint48 adminDelay, address feeRecipient_, address signatureVerifier_)
        AccessControlDefaultAdminRules(adminDelay, admin)
        EIP712("Credits", "1")
    {
        if (usdc_.code.length == 0) revert TargetWithoutCode(usdc_);
        if (feeRecipient_ == address(0)) revert ZeroAddress("feeRecipient");
        usdc = usdc_;
        signatureVerifier = signatureVerifier_;
        feeRecipient = feeRecipient_;
        emit FeeRecipientSet(feeRecipient_);
    }

    // Redeem

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external nonReentrant whenNotPaused {
        _redeem(request, msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemBatch(RedeemRequest[] calldata requests, uint256[] calldata gasLimits)
        external
        nonReentrant
        whenNotPaused
        returns (BatchResult[] memory results)
    {
        uint256 length = requests.length;
        if (length != gasLimits.length) revert BatchLengthMismatch(length, gasLimits.length);
        results = new BatchResult[](length);
        for (uint256 i = 0; i < length; ++i) {
            bytes memory data = abi.encodeCall(this.redeemItem, (requests[i], msg.sender));
            _requireGas(gasLimits[i], BATCH_RESERVE);
            (results[i].success,,) = BoundedCall.call(address(this), 0, gasLimits[i], data);
            if (!results[i].success) {
                results[i].reason = BoundedCall.answer(MAX_BATCH_REASON);
                Permit calldata permit = requests[i].permit;
                emit BatchItemFailed(i, permit.customerWallet, permit.nonce, results[i].reason);
            }
        }
    }

    /// @notice One item of a batch. Only this contract may call it.
    /// @param relayer who sent the batch
    function redeemItem(RedeemRequest calldata request, address relayer) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        _redeem(request, relayer);
    }

    /// @inheritdoc ICredits
    function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes calldata signature) external {
        bytes32 digest = hashCancelCreditsAuthorization(customerWallet, nonce);
        if (!_isValidSignature(customerWallet, digest, signature)) {
            revert InvalidCancelSignature(customerWallet, digest);
        }
        _useNonce(customerWallet, nonce, CANCELLED);
        emit CreditsAuthorizationCancelled(customerWallet, nonce);
    }

    // Money of the operators

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
        IERC20(usdc).safeTransferFrom(msg.sender, address(this), amount);
        _requireReceived(balance, amount);

        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _addCredits(creditSeedHash, wallet, amount);
        emit Minted(creditSeedHash, wallet, creditSeed, amount);
    }

    /// @inheritdoc ICredits
    function burn(string calldata creditSeed, address wallet, uint256 amount, address to)
        external
        nonReentrant
        whenNotPaused
        onlyRole(MINTER_ROLE)
    {
        if (to == address(0)) revert ZeroAddress("to");
        if (to == address(this)) revert ForbiddenTarget(to);
        if (amount == 0) revert ZeroAmount();
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _charge(creditSeed, creditSeedHash, wallet, amount, 0);
        emit Burned(creditSeedHash, wallet, creditSeed, amount, to);
        IERC20(usdc).safeTransfer(to, amount);
        _requireSolvent();
    }

    /// @inheritdoc ICredits
    function creditEarlyAuthorization(string calldata creditSeed, address from, bytes32 nonce, uint256 value)
        external
        nonReentrant
        whenNotPaused
        onlyRole(OPERATOR_ROLE)
    {
        if (from == address(0)) revert ZeroAddress("from");
        if (value == 0) revert ZeroAmount();
        uint256 known = _nonces[from][nonce];
        if (known & (USDC_COLLECTED | CREDITED_EARLY) != 0) revert AuthorizationAlreadyCredited(from, nonce);
        if (!IUsdc(usdc).authorizationState(from, nonce)) revert AuthorizationNotLanded(from, nonce);
        uint256 available = surplus();
        if (value > available) revert InsufficientSurplus(available, value);

        _nonces[from][nonce] = known | CREDITED_EARLY;
        _addCredits(keccak256(bytes(creditSeed)), from, value);
        emit EarlyAuthorizationCredited(from, nonce, creditSeed, value);
    }

    /// @inheritdoc ICredits
    function withdrawFees() external nonReentrant whenNotPaused returns (uint256 amount) {
        address recipient = feeRecipient;
        amount = _totals.fees;
        _totals.fees = 0;
        emit FeesWithdrawn(recipient, amount);
        IERC20(usdc).safeTransfer(recipient, amount);
        _requireSolvent();
    }

    // Administration

    /// @inheritdoc ICredits
    function setWhitelist(
        string calldata creditSeed,
        uint256 chainId,
        address target,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    ) external onlyRole(WHITELIST_ROLE) {
        if (target == address(0)) revert ZeroAddress("target");
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        WhitelistTarget storage entry = _whitelist[creditSeedHash][chainId][target];
        WhitelistEntry storage rule = anySelector ? entry.any : entry.selectors[selector];
        if (rule.allowed != allowed) {
            if (allowed) ++entry.entries;
            else --entry.entries;
        }
        rule.allowed = allowed;
        rule.minimumGas = allowed ? minimumGas.toUint64() : 0;
        emit WhitelistSet(
            creditSeedHash,
            chainId,
            target,
            creditSeed,
            anySelector ? bytes4(0) : selector,
            anySelector,
            allowed,
            minimumGas
        );
    }

    /// @inheritdoc ICredits
    function setUnboundPermits(string calldata creditSeed, bool allowed) external onlyRole(WHITELIST_ROLE) {
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _unboundPermits[creditSeedHash] = allowed;
        emit UnboundPermitsSet(creditSeedHash, creditSeed, allowed);
    }

    /// @inheritdoc ICredits
    function setFeeRecipient(address recipient) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (recipient == address(0)) revert ZeroAddress("feeRecipient");
        if (recipient == address(this)) revert ForbiddenTarget(recipient);
        feeRecipient = recipient;
        emit FeeRecipientSet(recipient);
    }

    /// @inheritdoc ICredits
    function setBridgeAdapter(address adapter) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (adapter != address(0)) {
            if (adapter == usdc || adapter == address(this)) revert ForbiddenTarget(adapter);
            if (adapter.code.length == 0) revert TargetWithoutCode(adapter);
        }
        bridgeAdapter = adapter;
        emit BridgeAdapterSet(adapter);
    }

    /// @inheritdoc ICredits
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    /// @inheritdoc ICredits
    function unpause() external onlyRole(PAUSER_ROLE) {
        _unpause();
    }

    // Views

    /// @inheritdoc ICredits
    function creditsOf(string calldata creditSeed, address wallet) external view returns (uint256) {
        return _credits[keccak256(bytes(creditSeed))][wallet];
    }

    /// @inheritdoc ICredits
    function nonceState(address wallet, bytes32 nonce) external view returns (NonceState) {
        return _stateOf(_nonces[wallet][nonce]);
    }

    /// @inheritdoc ICredits
    function totalCredits() external view returns (uint256) {
        return _totals.credits;
    }

    /// @inheritdoc ICredits
    function feesOwed() external view returns (uint256) {
        return _totals.fees;
    }

    /// @inheritdoc ICredits
    function surplus() public view returns (uint256) {
        uint256 balance = _balance();
        uint256 owed = _owed();
        return balance > owed ? balance - owed : 0;
    }

    /// @inheritdoc ICredits
    function unboundPermitsAllowed(string calldata creditSeed) external view returns (bool) {
        return _unboundPermits[keccak256(bytes(creditSeed))];
    }

    /// @inheritdoc ICredits
    function whitelisted(string calldata creditSeed, uint256 chainId, address target, bytes4 selector)
        external
        view
        returns (bool allowed, uint256 minimumGas)
    {
        return _whitelistRule(keccak256(bytes(creditSeed)), chainId, target, selector);
    }

    /// @inheritdoc ICredits
    function hashCreditsAuthorization(Permit calldata permit) external view returns (bytes32 digest) {
        return _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, keccak256(bytes(permit.creditSeed))));
    }

    /// @inheritdoc ICredits
    function hashCancelCreditsAuthorization(address customerWallet, bytes32 nonce)
        public
        view
        returns (bytes32 digest)
    {
        return _hashTypedDataV4(RedeemHash.cancelCreditsAuthorization(customerWallet, nonce));
    }

    /// @inheritdoc ICredits
    function hashSettlement(Settlement calldata settlement) external pure returns (bytes32) {
        return RedeemHash.settlement(settlement);
    }

    /// @inheritdoc ICredits
    function intentNonce(address customerWallet, bytes32 settlementHash, Intent calldata intent)
        external
        pure
        returns (bytes32)
    {
        return RedeemHash.intentNonce(customerWallet, settlementHash, intent);
    }

    /// @inheritdoc ICredits
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(AccessControlDefaultAdminRules, IERC165)
        returns (bool)
    {
        return interfaceId == type(IERC1155Receiver).interfaceId || super.supportsInterface(interfaceId);
    }

    // A redeem, step by step

    function _redeem(RedeemRequest calldata request, address relayer) private {
        Permit calldata permit = request.permit;
        Intent calldata intent = request.intent;
        bytes32 creditSeedHash = keccak256(bytes(permit.creditSeed));

        uint256 charged = _requireAmounts(permit, intent, request.gasFee);
        _requireIntent(request, relayer, creditSeedHash);
        _requirePermit(permit, creditSeedHash);

        _useNonce(permit.customerWallet, permit.nonce, intent.usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(permit.creditSeed, creditSeedHash, permit.customerWallet, charged, request.gasFee);

        _collectUsdc(request);
        uint256 refunded = _settle(request, creditSeedHash);
        if (refunded != 0) _addCredits(creditSeedHash, permit.customerWallet, refunded);
        _requireSolvent();

        emit Redeemed(
            permit.customerWallet,
            permit.nonce,
            permit.creditSeed,
            request.settlement.kind,
            request.settlement.target,
            intent.amount,
            intent.usdcAmount,
            charged,
            refunded,
            request.gasFee
        );
    }

    function _requireAmounts(Permit calldata permit, Intent calldata intent, uint256 gasFee)
        private
        pure
        returns (uint256 charged)
    {
        if (intent.amount == 0) revert ZeroAmount();
        if (intent.usdcAmount > intent.amount) revert UsdcAmountExceedsAmount(intent.usdcAmount, intent.amount);
        uint256 fromCredits = intent.amount - intent.usdcAmount;
        // A sum above 2^256 is more than any permit, too.
        charged = gasFee > type(uint256).max - fromCredits ? type(uint256).max : fromCredits + gasFee;
        if (charged > permit.amount || charged < gasFee) revert ExceedsAuthorized(charged, permit.amount);
    }

    function _requireIntent(RedeemRequest calldata request, address relayer, bytes32 creditSeedHash) private view {
        Permit calldata permit = request.permit;
        bool bound = RedeemHash.isBound(permit.nonce);
        if (request.gasFee != 0 && !hasRole(OPERATOR_ROLE, relayer)) revert GasFeeNotAllowed(relayer, request.gasFee);
        if (bound) {
            bytes32 expected = RedeemHash.intentNonce(
                permit.customerWallet, RedeemHash.settlement(request.settlement), request.intent
            );
            if (permit.nonce != expected) revert IntentMismatch(permit.nonce, expected);
        } else {
            if (!_unboundPermits[creditSeedHash] || !hasRole(OPERATOR_ROLE, relayer)) {
                revert UnboundPermitNotAllowed(permit.creditSeed, relayer);
            }
            if (request.intent.salt != 0) revert SaltNotAllowed(request.intent.salt);
        }
    }

    function _requirePermit(Permit calldata permit, bytes32 creditSeedHash) private view {
        if (permit.customerWallet == address(0)) revert ZeroAddress("customerWallet");
        if (block.timestamp >= permit.validBefore) revert PermitExpired(permit.validBefore, block.timestamp);
        bytes32 digest = _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, creditSeedHash));
        if (!_isValidSignature(permit.customerWallet, digest, permit.signature)) {
            revert InvalidPermitSignature(permit.customerWallet, digest);
        }
    }

    /// @dev Key-held accounts: 65 bytes, `v` 27 or 28, low `s`. Accounts with code (ERC-7702 included): ERC-1271.
    function _isValidSignature(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signatureVerifier != address(0)) {
            (bool success, uint256 valid, uint256 size) =
                BoundedCall.readOnly(signatureVerifier, _verifierCall(signer, digest, signature));
            if (success && size >= 32 && valid == 1) return true;
        }
        return SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature);
    }

    /// @dev 0x04 opens an access key's signature (Keychain V2), but 65 bytes are always a plain key's.
    function _verifierCall(address signer, bytes32 digest, bytes calldata signature)
        private
        pure
        returns (bytes memory)
    {
        bool keychain = signature.length > 65 && signature[0] == 0x04;
        bytes4 selector = keychain ? ISignatureVerifier.verifyKeychain.selector : ISignatureVerifier.verify.selector;
        return abi.encodeWithSelector(selector, signer, digest, signature);
    }

    function _useNonce(address wallet, bytes32 nonce, uint256 use) private {
        uint256 known = _nonces[wallet][nonce];
        if (known & (REDEEMED | CANCELLED) != 0) revert NonceAlreadyUsed(wallet, nonce, _stateOf(known));
        _nonces[wallet][nonce] = known | use;
    }

    function _stateOf(uint256 known) private pure returns (NonceState) {
        if (known & REDEEMED != 0) return NonceState.Redeemed;
        return known & CANCELLED != 0 ? NonceState.Cancelled : NonceState.Unused;
    }

    // Customer's USDC

    /// @dev Takes `usdcAmount` from the customer by an authorization that can mean nothing but this redeem.
    function _collectUsdc(RedeemRequest calldata request) private {
        UsdcAuthorization calldata authorization = request.usdcAuthorization;
        uint256 value = request.intent.usdcAmount;
        if (value == 0) return _requireNoAuthorization(authorization);

        address from = request.permit.customerWallet;
        uint256 validBefore = request.permit.validBefore;
        bytes32 nonce = request.permit.nonce;
        _requireSame("from", _word(authorization.from), _word(from));
        _requireSame("to", _word(authorization.to), _word(address(this)));
        _requireSame("value", bytes32(authorization.value), bytes32(value));
        _requireSame("validAfter", bytes32(authorization.validAfter), 0);
        _requireSame("validBefore", bytes32(authorization.validBefore), bytes32(validBefore));
        _requireSame("nonce", authorization.nonce, nonce);

        uint256 balance = _balance();
        UsdcMethod method = authorization.method;
        bytes calldata signature = authorization.signature;
        if (method == UsdcMethod.TransferV2) {
            IUsdc(usdc).transferWithAuthorization(from, address(this), value, 0, validBefore, nonce, signature);
        } else if (method == UsdcMethod.ReceiveV2) {
            IUsdc(usdc).receiveWithAuthorization(from, address(this), value, 0, validBefore, nonce, signature);
        } else if (method == UsdcMethod.None) {
            // A value without a way to collect it.
            revert UsdcAuthorizationMismatch("method", 0, bytes32(uint256(UsdcMethod.ReceiveV2)));
        } else {
            if (signature.length != 65) revert InvalidV1SignatureLength(signature.length);
            bytes32 r = bytes32(signature[:32]);
            bytes32 s = bytes32(signature[32:64]);
            uint8 v = uint8(signature[64]);
            if (method == UsdcMethod.TransferV1) {
                IUsdc(usdc).transferWithAuthorization(from, address(this), value, 0, validBefore, nonce, v, r, s);
            } else {
                IUsdc(usdc).receiveWithAuthorization(from, address(this), value, 0, validBefore, nonce, v, r, s);
            }
        }
        _requireReceived(balance, value);
    }

    function _requireNoAuthorization(UsdcAuthorization calldata authorization) private pure {
        _requireSame("method", bytes32(uint256(authorization.method)), 0);
        _requireSame("from", _word(authorization.from), 0);
        _requireSame("to", _word(authorization.to), 0);
        _requireSame("value", bytes32(authorization.value), 0);
        _requireSame("validAfter", bytes32(authorization.validAfter), 0);
        _requireSame("validBefore", bytes32(authorization.validBefore), 0);
        _requireSame("nonce", authorization.nonce, 0);
        _requireSame("signature", bytes32(authorization.signature.length), 0);
    }

    function _requireSame(string memory field, bytes32 given, bytes32 expected) private pure {
        if (given != expected) revert UsdcAuthorizationMismatch(field, given, expected);
    }

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    // The six shapes

    function _settle(RedeemRequest calldata request, bytes32 creditSeedHash) private returns (uint256 refunded) {
        Settlement calldata settlement = request.settlement;
        _requireUnusedZero(settlement);
        if (settlement.kind == Kind.Token) {
            _settleToken(settlement.target, request.intent.amount);
            return 0;
        }
        bytes4 selector = _requireSelector(settlement.data);
        if (settlement.kind == Kind.Decent) return _settleDecent(request, creditSeedHash, selector);
        return _settleCall(request, creditSeedHash, selector);
    }

    function _requireUnusedZero(Settlement calldata settlement) private pure {
        Kind kind = settlement.kind;
        Bridge calldata bridge = settlement.bridge;
        bool nft = kind == Kind.SafeMint || kind == Kind.Returned || kind == Kind.KnownTokenId;
        if (kind == Kind.Token && settlement.data.length != 0) revert UnexpectedField(kind, "data");
        if (!nft && settlement.nftContract != address(0)) revert UnexpectedField(kind, "nftContract");
        if (kind != Kind.KnownTokenId && settlement.nftId != 0) revert UnexpectedField(kind, "nftId");
        if (kind != Kind.Decent) {
            if (bridge.dstChainId != 0) revert UnexpectedField(kind, "dstChainId");
            if (bridge.dstToken != address(0)) revert UnexpectedField(kind, "dstToken");
            if (bridge.isNative) revert UnexpectedField(kind, "isNative");
            if (bridge.cost != 0) revert UnexpectedField(kind, "cost");
        } else if (bridge.isNative && bridge.dstToken != address(0)) {
            revert UnexpectedField(kind, "dstToken");
        }
    }

    function _settleToken(address destination, uint256 amount) private {
        if (destination == address(0)) revert ZeroAddress("destination");
        if (destination == usdc || destination == address(this)) revert ForbiddenTarget(destination);
        IERC20(usdc).safeTransfer(destination, amount);
    }

    function _settleDecent(RedeemRequest calldata request, bytes32 creditSeedHash, bytes4 selector)
        private
        returns (uint256 refunded)
    {
        Settlement calldata settlement = request.settlement;
        Bridge calldata bridge = settlement.bridge;
        address adapter = bridgeAdapter;
        if (adapter == address(0)) revert BridgeAdapterNotSet();
        if (!bridge.isNative && bridge.dstToken == address(0)) revert ZeroAddress("dstToken");
        _requireNotForbidden(settlement.target);
        uint256 minimumGas = _requireWhitelisted(
            request.permit.creditSeed, creditSeedHash, bridge.dstChainId, settlement.target, selector
        );

        IERC20(usdc).forceApprove(adapter, request.intent.amount);
        IBridgeAdapter(adapter)
            .bridge(
                IBridgeAdapter.Request({
                customer: request.permit.customerWallet,
                nonce: request.permit.nonce,
                amount: request.intent.amount,
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

    function _settleCall(RedeemRequest calldata request, bytes32 creditSeedHash, bytes4 selector)
        private
        returns (uint256 refunded)
    {
        Settlement calldata settlement = request.settlement;
        address target = settlement.target;
        Kind kind = settlement.kind;
        _requireNotForbidden(target);
        if (target.code.length == 0) revert TargetWithoutCode(target);
        uint256 minimumGas =
            _requireWhitelisted(request.permit.creditSeed, creditSeedHash, block.chainid, target, selector);
        uint256 balanceBefore = 0;
        if (kind != Kind.Normal) balanceBefore = _prepareNft(request, creditSeedHash);

        bytes memory data = settlement.data;
        IERC20(usdc).forceApprove(target, request.intent.amount);
        if (minimumGas != 0) _requireGas(minimumGas, 0);
        (bool success, uint256 word, uint256 size) = BoundedCall.call(target, 0, gasleft(), data);
        if (!success) revert CallFailed(target, BoundedCall.answer(MAX_CALL_REASON));

        refunded = _takeBackAllowance(target);
        if (kind == Kind.Returned) {
            if (size < 32) revert TokenIdNotReturned(size);
            _deliverReturned(settlement.nftContract, word, balanceBefore, request.permit.customerWallet);
        } else if (kind == Kind.SafeMint) {
            _deliverArrived(settlement.nftContract, request.permit.customerWallet);
        } else if (kind == Kind.KnownTokenId) {
            _deliverOne(settlement.nftContract, settlement.nftId, request.permit.customerWallet);
        }
    }

    /// @dev The refund is what the call left of its allowance. The balance says nothing: it can grow for other reasons.
    function _takeBackAllowance(address spender) private returns (uint256 left) {
        left = IERC20(usdc).allowance(address(this), spender);
        if (left != 0) IERC20(usdc).forceApprove(spender, 0);
    }

    // NFTs

    /// @return balanceBefore how many tokens of the contract are here, for kind `Returned`
    function _prepareNft(RedeemRequest calldata request, bytes32 creditSeedHash)
        private
        returns (uint256 balanceBefore)
    {
        Settlement calldata settlement = request.settlement;
        address nftContract = settlement.nftContract;
        if (nftContract == address(0)) revert ZeroAddress("nftContract");
        if (nftContract != settlement.target) {
            _requireNotForbidden(nftContract);
            if (nftContract.code.length == 0) revert TargetWithoutCode(nftContract);
            if (_whitelist[creditSeedHash][block.chainid][nftContract].entries == 0) {
                revert NftContractNotWhitelisted(request.permit.creditSeed, nftContract);
            }
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

    function _deliverReturned(address nftContract, uint256 nftId, uint256 balanceBefore, address customer) private {
        if (_nftBalance(nftContract) != balanceBefore + 1) {
            revert TokenNotReceived(nftContract, nftId);
        }
        _deliverOne(nftContract, nftId, customer);
    }

    /// @dev Hands on one ERC-721 token. Whatever came through a hook must be this one: nothing may stay behind.
    function _deliverOne(address nftContract, uint256 nftId, address customer) private {
        uint256 count = _stopAwaiting();
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

    // What may be called

    function _requireSelector(bytes calldata data) private pure returns (bytes4 selector) {
        selector = bytes4(data);
        if (data.length < 4 || NeverList.contains(selector)) revert ForbiddenSelector(selector);
    }

    function _requireNotForbidden(address target) private view {
        if (target == usdc || target == address(this) || target == NeverList.PERMIT2) revert ForbiddenTarget(target);
    }

    function _requireWhitelisted(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        uint256 chainId,
        address target,
        bytes4 selector
    ) private view returns (uint256) {
        (bool allowed, uint256 minimumGas) = _whitelistRule(creditSeedHash, chainId, target, selector);
        if (!allowed) revert NotWhitelisted(creditSeed, chainId, target, selector);
        return minimumGas;
    }

    /// @dev An entry for the selector goes before the entry for any.
    function _whitelistRule(bytes32 creditSeedHash, uint256 chainId, address target, bytes4 selector)
        private
        view
        returns (bool allowed, uint256 minimumGas)
    {
        WhitelistTarget storage entry = _whitelist[creditSeedHash][chainId][target];
        WhitelistEntry memory rule = entry.selectors[selector];
        if (!rule.allowed) rule = entry.any;
        return (rule.allowed, rule.minimumGas);
    }

    /// @dev A call gets at most 63/64 of what is left. Checked right before it.
    function _requireGas(uint256 minimum, uint256 reserve) private view {
        uint256 left = gasleft();
        uint256 kept = left / 64 + CALL_OVERHEAD + reserve;
        uint256 available = left > kept ? left - kept : 0;
        if (available < minimum) revert InsufficientGas(available, minimum);
    }

    // Books

    function _charge(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        address wallet,
        uint256 charged,
        uint256 gasFee
    ) private {
        if (charged == 0) return;
        uint256 balance = _credits[creditSeedHash][wallet];
        if (balance < charged) revert InsufficientCredits(creditSeed, wallet, balance, charged);
        Totals memory totals = _totals;
        unchecked {
            // `charged <= balance <= totals.credits < 2^128`, and `gasFee <= charged`.
            _credits[creditSeedHash][wallet] = balance - charged;
            totals.credits -= uint128(charged);
        }
        totals.fees += uint128(gasFee);
        _totals = totals;
    }

    function _addCredits(bytes32 creditSeedHash, address wallet, uint256 amount) private {
        _credits[creditSeedHash][wallet] += amount;
        _totals.credits += amount.toUint128();
    }

    function _balance() private view returns (uint256) {
        return IERC20(usdc).balanceOf(address(this));
    }

    function _owed() private view returns (uint256) {
        Totals memory totals = _totals;
        return uint256(totals.credits) + totals.fees;
    }

    function _requireReceived(uint256 balanceBefore, uint256 expected) private view {
        uint256 received = _balance() - balanceBefore;
        if (received != expected) revert TransferredAmountMismatch(received, expected);
    }

    function _requireSolvent() private view {
        uint256 balance = _balance();
        uint256 owed = _owed();
        if (balance < owed) revert Insolvent(balance, owed);
    }
}
