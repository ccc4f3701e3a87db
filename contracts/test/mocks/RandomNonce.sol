// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Credits} from "../../src/Credits.sol";
import {CreditsExtension} from "../../src/CreditsExtension.sol";
import {ICredits} from "../../src/ICredits.sol";
import {IPaymentSettlement} from "../../src/IPaymentSettlement.sol";
import {IUsdc} from "../../src/IUsdc.sol";
import {RoleGrant, Setup} from "../../src/RoleGrant.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev The storage that the two contracts below add.
abstract contract UsedNonces {
    /// @dev Keyed by the full nonce, because parts of a nonce have no meaning to these contracts.
    mapping(address wallet => mapping(bytes32 nonce => uint256 flags)) internal _uses;
}

/// @title Simulates the credits contract of a service with random nonces
/// @notice For tests and the sandbox. Never deploy it for value: the operator decides what a permit is spent on.
/// @dev See PROTOCOL.md 4.6. Balances, whitelist, the customer's USDC and the settlements work as in `Credits`. A
/// permit's nonce is any 32 bytes, used once per wallet, and only an operator may redeem. `orderState`, cancellation
/// and batches are missing: such a call reverts without data, like a call to a function that does not exist. `Redeemed`
/// is never emitted.
contract RandomNonceCredits is Credits, UsedNonces {
    /// @dev Takes the arguments of the `Credits` constructor.
    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    ) Credits(usdc_, admin, adminDelay, feeRecipient_, signatureVerifier_, setup) {}

    function _deployExtension() internal override returns (address) {
        return address(new RandomNonceCreditsExtension(usdc, signatureVerifier));
    }

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external override nonReentrant whenNotPaused {
        Permit calldata permit = request.permit;
        Intent calldata intent = request.intent;
        string calldata creditSeed = permit.creditSeed;
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        if (!hasRole(OPERATOR_ROLE, msg.sender)) revert RandomNoncePermitNotAllowed(creditSeed, msg.sender);
        if (intent.salt != 0) revert SaltNotAllowed(intent.salt);
        if (intent.amount == 0) revert ZeroAmount();
        if (intent.usdcAmount > intent.amount) revert UsdcAmountExceedsAmount(intent.usdcAmount, intent.amount);
        uint256 charged = intent.amount - intent.usdcAmount + request.gasFee;
        if (charged > permit.amount) revert ExceedsAuthorized(charged, permit.amount);
        _requirePermit(permit, creditSeedHash);

        _useNonce(permit.customerWallet, permit.nonce, intent.usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(creditSeed, creditSeedHash, permit.customerWallet, charged, request.gasFee);
        _collectUsdc(permit, intent.usdcAmount, request.usdcAuthorization);
        _execute(permit, intent.amount, request.settlement, creditSeedHash);
    }

    /// @dev The simulated contract does not have this function.
    function redeemBatch(bytes[] calldata, uint256[] calldata) external pure override returns (BatchResult[] memory) {
        revert();
    }

    /// @dev The simulated contract does not have this function.
    function redeemToken(Permit calldata, uint256, uint256, bytes32, address) external pure override {
        revert();
    }

    /// @dev The simulated contract does not have this function.
    function orderState(address, bytes12) external pure override returns (OrderState, bytes20, uint40) {
        revert();
    }

    /// @dev The simulated contract does not have this function.
    function cancelCreditsAuthorization(address, bytes32, bytes calldata) external pure override {
        revert();
    }

    function _useNonce(address wallet, bytes32 nonce, uint256 flags) private {
        if (_uses[wallet][nonce] != 0) {
            revert OrderUsed(wallet, bytes12(nonce), OrderState.Redeemed, bytes20(uint160(uint256(nonce))));
        }
        _uses[wallet][nonce] = flags;
    }
}

/// @title The rarely used functions of `RandomNonceCredits`
contract RandomNonceCreditsExtension is CreditsExtension, UsedNonces {
    constructor(IUsdc usdc_, address signatureVerifier_) CreditsExtension(usdc_, signatureVerifier_) {}

    function _isUsdcCollected(address wallet, bytes32 nonce) internal view override returns (bool) {
        return _uses[wallet][nonce] & USDC_COLLECTED != 0;
    }

    /// @dev Treats every nonce as a random nonce.
    function _requireMayExecuteEarly(bytes32) internal pure override {}
}

/// @title Simulates the contract that settles payments at a service with random nonces
/// @notice For tests and the sandbox: simulates third-party contracts. Never deploy it for value: an operator decides
/// what a customer's authorization pays for.
/// @dev See PROTOCOL.md 4.6. Takes payments like `PaymentSettlement`, with two differences: it executes no settlement,
/// and the nonce of an authorization, which may be a `TransferWithAuthorization`, is its `salt`.
contract RandomNoncePaymentSettlement is AccessControl {
    using SafeERC20 for IUsdc;

    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    ICredits public immutable credits;
    IUsdc public immutable usdc;
    mapping(bytes32 id => bool) public settled;

    /// @dev Takes the arguments of the `PaymentSettlement` constructor.
    constructor(ICredits credits_, address admin, uint48, RoleGrant[] memory grants) {
        credits = credits_;
        usdc = credits_.usdc();
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        for (uint256 i = 0; i < grants.length; ++i) {
            _grantRole(grants[i].role, grants[i].account);
        }
    }

    /// @dev See `IPaymentSettlement`.
    function settle(IPaymentSettlement.Payment calldata payment) external onlyRole(OPERATOR_ROLE) {
        if (settled[payment.id]) revert IPaymentSettlement.AlreadySettled(payment.id);
        settled[payment.id] = true;
        uint256 value = payment.authorization.value;
        if (value != 0) _take(payment.customer, payment.authorization);
        if (value < payment.amount) usdc.safeTransferFrom(msg.sender, address(this), payment.amount - value);
        else usdc.safeTransfer(msg.sender, value - payment.amount);
        if (payment.outcome == IPaymentSettlement.Outcome.MintCredits) {
            usdc.forceApprove(address(credits), payment.amount);
            credits.mint(payment.creditSeed, payment.receiver, payment.amount);
        } else if (payment.outcome == IPaymentSettlement.Outcome.PayUsdc) {
            usdc.safeTransfer(payment.receiver, payment.amount);
        } else {
            revert IPaymentSettlement.UnexpectedField("outcome");
        }
        emit IPaymentSettlement.PaymentSettled(
            payment.id, payment.customer, bytes12(0), payment.outcome, payment.receiver, payment.amount, value, 0
        );
    }

    function _take(address from, IPaymentSettlement.Authorization calldata one) private {
        ICredits.UsdcMethod method = one.method;
        bytes calldata signature = one.signature;
        if (method == ICredits.UsdcMethod.TransferV2) {
            usdc.transferWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, signature
            );
            return;
        }
        if (method == ICredits.UsdcMethod.ReceiveV2) {
            usdc.receiveWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, signature
            );
            return;
        }
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        if (method == ICredits.UsdcMethod.TransferV1) {
            usdc.transferWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, v, r, s
            );
        } else {
            usdc.receiveWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, v, r, s
            );
        }
    }
}
