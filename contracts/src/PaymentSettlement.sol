// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CustomerEscrow} from "./CustomerEscrow.sol";
import {ICredits} from "./ICredits.sol";
import {IPaymentSettlement} from "./IPaymentSettlement.sol";
import {IUsdc} from "./IUsdc.sol";
import {InitialRoles} from "./InitialRoles.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {RoleGrant} from "./RoleGrant.sol";
import {TokenRescue} from "./TokenRescue.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title PaymentSettlement
/// @notice See `IPaymentSettlement`.
/// @dev A settlement is a redeem of the credits contract, with credits that are minted for it a moment before, so every rule of a
/// redeem holds: whitelist, forbidden calls, allowance, refund. It needs the credits contract's minter role. The nonce of the permit
/// is bound: the first 12 bytes of the payment's id are its order key, the id is its salt. Between two transactions there is no USDC here but that of authorizations which
/// somebody else sent to the token.
contract PaymentSettlement is IPaymentSettlement, InitialRoles, TokenRescue, ReentrancyGuardTransient {
    using SafeERC20 for IUsdc;

    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    ICredits public immutable credits;
    IUsdc public immutable usdc;
    address private immutable _escrowCode;

    /// @inheritdoc IPaymentSettlement
    mapping(bytes32 id => bool) public settled;
    /// @dev Authorizations that a payment has counted, or that were given back.
    mapping(address from => mapping(bytes32 nonce => bool)) private _counted;

    /// @param credits_ the credits contract, which names the USDC
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param grants further roles, from the beginning
    constructor(ICredits credits_, address admin, uint48 adminDelay, RoleGrant[] memory grants)
        AccessControlDefaultAdminRules(adminDelay, admin)
        InitialRoles(grants)
    {
        credits = credits_;
        usdc = credits_.usdc();
        _escrowCode = address(new CustomerEscrow());
    }

    /// @inheritdoc IPaymentSettlement
    function settle(Payment calldata payment) external nonReentrant onlyRole(OPERATOR_ROLE) {
        if (settled[payment.id]) revert AlreadySettled(payment.id);
        settled[payment.id] = true;
        if (payment.amount == 0) revert ZeroAmount();
        if (payment.customer == address(0)) revert ZeroAddress("customer");
        uint256 customerUsdc = _collect(payment.authorization);
        if (customerUsdc < payment.amount) {
            usdc.safeTransferFrom(msg.sender, address(this), payment.amount - customerUsdc);
        } else if (customerUsdc > payment.amount) {
            usdc.safeTransfer(msg.sender, customerUsdc - payment.amount);
        }
        uint256 refunded = 0;
        if (payment.outcome == Outcome.Execute) {
            refunded = _execute(payment);
        } else {
            if (payment.receiver == address(0)) revert ZeroAddress("receiver");
            if (payment.receiver == address(this)) revert ForbiddenTarget(payment.receiver);
            if (payment.outcome == Outcome.MintCredits) _mint(payment.creditSeed, payment.receiver, payment.amount);
            else usdc.safeTransfer(payment.receiver, payment.amount);
        }
        emit PaymentSettled(payment.id, payment.customer, payment.outcome, payment.amount, customerUsdc, refunded);
    }

    /// @inheritdoc IPaymentSettlement
    function returnLanded(ICredits.EarlyAuthorization calldata authorization)
        external
        nonReentrant
        onlyRole(OPERATOR_ROLE)
    {
        address from = authorization.from;
        uint256 value = authorization.value;
        _countLanded(authorization);
        emit LandedAuthorizationReturned(from, authorization.nonce, value);
        usdc.safeTransfer(from, value);
    }

    /// @inheritdoc IPaymentSettlement
    function escrowOf(address customer) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(_escrowCode, abi.encode(customer), 0);
    }

    /// @inheritdoc IPaymentSettlement
    function deployEscrow(address customer) public returns (address escrow) {
        escrow = escrowOf(customer);
        if (escrow.code.length == 0) {
            Clones.cloneDeterministicWithImmutableArgs(_escrowCode, abi.encode(customer), 0);
        }
    }

    function _execute(Payment calldata payment) private returns (uint256 refunded) {
        ICredits.Settlement calldata settlement = payment.settlement;
        if (payment.receiver != address(0)) revert UnexpectedField("receiver");
        CustomerEscrow escrow = CustomerEscrow(deployEscrow(payment.customer));
        // USDC that is paid to either of the two has no owner there.
        if (settlement.kind == ICredits.Kind.Token) {
            if (settlement.target == address(this) || settlement.target == address(escrow)) {
                revert ForbiddenTarget(settlement.target);
            }
        }
        _mint(payment.creditSeed, address(escrow), payment.amount);

        bool checked = payment.nftIds.length != 0;
        uint256 held = checked ? IERC721(settlement.nftContract).balanceOf(address(escrow)) : 0;
        escrow.redeem(credits, _redeemRequest(payment, address(escrow)));
        if (checked) _handOn(payment, escrow, held);

        refunded = credits.creditsOf(payment.creditSeed, address(escrow));
        if (refunded != 0) {
            credits.burn(payment.creditSeed, address(escrow), refunded);
            escrow.pay(usdc, refunded);
            _mint(payment.creditSeed, payment.customer, refunded);
        }
    }

    function _redeemRequest(Payment calldata payment, address escrow)
        private
        view
        returns (ICredits.RedeemRequest memory request)
    {
        request.intent = ICredits.Intent({amount: payment.amount, usdcAmount: 0, salt: payment.id});
        request.settlement = payment.settlement;
        request.permit = ICredits.Permit({
            customerWallet: escrow,
            creditSeed: payment.creditSeed,
            amount: payment.amount,
            validBefore: block.timestamp + 1,
            // `intentNonce` sets the highest bit.
            nonce: credits.intentNonce(
                bytes12(payment.id), escrow, credits.hashSettlement(payment.settlement), request.intent
            ),
            signature: ""
        });
    }

    /// @dev All that came goes on, and nothing else: the operator has seen in a rehearsal which tokens come.
    function _handOn(Payment calldata payment, CustomerEscrow escrow, uint256 held) private {
        IERC721 nftContract = IERC721(payment.settlement.nftContract);
        uint256 arrived = nftContract.balanceOf(address(escrow)) - held;
        if (arrived != payment.nftIds.length) {
            revert OtherTokensArrived(address(nftContract), arrived, payment.nftIds.length);
        }
        for (uint256 i = 0; i < payment.nftIds.length; ++i) {
            escrow.handOn(nftContract, payment.nftIds[i]);
        }
    }

    function _mint(string calldata creditSeed, address wallet, uint256 amount) private {
        usdc.forceApprove(address(credits), amount);
        credits.mint(creditSeed, wallet, amount);
    }

    /// @return value what the customer has paid
    function _collect(Authorization calldata authorization) private returns (uint256 value) {
        ICredits.UsdcMethod method = authorization.method;
        ICredits.EarlyAuthorization calldata signed = authorization.signed;
        value = signed.value;
        if (method == ICredits.UsdcMethod.None) {
            if (value != 0 || authorization.landed) revert UnexpectedField("authorization");
            return 0;
        }
        if (value == 0) revert ZeroAmount();
        if (authorization.landed) {
            _countLanded(signed);
        } else {
            _counted[signed.from][signed.nonce] = true;
            uint256 balance = usdc.balanceOf(address(this));
            _take(signed, method);
            uint256 received = usdc.balanceOf(address(this)) - balance;
            if (received != value) revert TransferredAmountMismatch(received, value);
        }
    }

    /// @dev Payee and value are what `from` signed. Only a `TransferWithAuthorization` can have landed without this contract.
    function _countLanded(ICredits.EarlyAuthorization calldata authorization) private {
        address from = authorization.from;
        bytes32 nonce = authorization.nonce;
        if (_counted[from][nonce]) revert AuthorizationAlreadyCounted(from, nonce);
        if (!usdc.authorizationState(from, nonce)) revert AuthorizationNotLanded(from, nonce);
        bytes32 digest = MessageHashUtils.toTypedDataHash(
            usdc.DOMAIN_SEPARATOR(), RedeemHash.transferWithAuthorization(authorization, address(this))
        );
        if (!SignatureChecker.isValidSignatureNowCalldata(from, digest, authorization.signature)) {
            revert InvalidLandedAuthorization(from, digest);
        }
        _counted[from][nonce] = true;
    }

    function _take(ICredits.EarlyAuthorization calldata authorization, ICredits.UsdcMethod method) private {
        address from = authorization.from;
        uint256 value = authorization.value;
        uint256 validAfter = authorization.validAfter;
        uint256 validBefore = authorization.validBefore;
        bytes32 nonce = authorization.nonce;
        bytes calldata signature = authorization.signature;
        if (method == ICredits.UsdcMethod.TransferV2) {
            usdc.transferWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, signature);
        } else if (method == ICredits.UsdcMethod.ReceiveV2) {
            usdc.receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, signature);
        } else {
            if (signature.length != 65) revert InvalidV1SignatureLength(signature.length);
            bytes32 r = bytes32(signature[:32]);
            bytes32 s = bytes32(signature[32:64]);
            uint8 v = uint8(signature[64]);
            if (method == ICredits.UsdcMethod.TransferV1) {
                usdc.transferWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, v, r, s);
            } else {
                usdc.receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, v, r, s);
            }
        }
    }
}
