// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../../src/ICredits.sol";
import {Payment} from "./HonestMerchants.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @dev Merchants that each break exactly one rule, which `verdicts.json` names. A new merchant needs a contract here and a row
/// in `verdicts.json`.

/// @title Breaks one rule: it pulls one raw unit more than the given price
contract PullsMore is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price + 1);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it takes half of the given price
contract PullsLess is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price / 2);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it delivers and takes nothing
contract PullsNothing is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it pulls the price from the customer, who has approved nothing, instead of from its caller
contract PullsFromOthers is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(usdc.transferFrom(receiver, address(this), price), "PullsFromOthers: transfer failed");
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it requires the chain's native coin in addition to the price
contract NeedsNativeCoin is Payment {
    uint256 public constant FEE = 0.001 ether;

    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external payable {
        require(msg.value == FEE, "NeedsNativeCoin: send 0.001 of the coin");
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: sold as `safeMint`, it mints to its caller without the receiver hook
contract MintsWithoutHook is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Mints without hook", "HOOKLESS") Payment(usdc_) {}

    function mint(uint256 price) external {
        _pull(price);
        _mint(msg.sender, ++minted);
    }
}

/// @title Breaks one rule: sold as `returned`, it mints to its caller and returns nothing
contract ReturnsNoId is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Returns no id", "SILENT") Payment(usdc_) {}

    function mint(uint256 price) external {
        _pull(price);
        _mint(msg.sender, ++minted);
    }
}

/// @title Breaks one rule: it delivers the next token instead of the bought one
contract WrongNftId is ERC721, Payment {
    uint256 public constant PRICE = 10_000_000;

    constructor(address usdc_) ERC721("Wrong id", "WRONG") Payment(usdc_) {
        for (uint256 id = 1; id <= 20; ++id) {
            _mint(address(this), id);
        }
    }

    function buy(uint256 tokenId) external {
        _pull(PRICE);
        _transfer(address(this), msg.sender, tokenId + 1);
    }
}

/// @title Breaks one rule: sold as `normal`, it mints to its caller, which keeps the token
contract NftStaysWithCaller is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Stays with caller", "STAYS") Payment(usdc_) {}

    /// @param receiver must not be zero, but gets nothing
    function buy(address receiver, uint256 price) external {
        require(receiver != address(0), "NftStaysWithCaller: no receiver");
        _pull(price);
        _mint(msg.sender, ++minted);
    }
}

/// @title Breaks one rule: sold as `safeMint`, it also delivers a token of a second contract, which stays with the caller
contract BonusStaysWithCaller is ERC721, Payment {
    MintsWithoutHook private immutable bonus;
    uint256 public minted;

    constructor(address usdc_) ERC721("Bonus stays with caller", "BONUS") Payment(usdc_) {
        bonus = new MintsWithoutHook(usdc_);
    }

    function mint(uint256 price) external {
        _pull(price);
        _safeMint(msg.sender, ++minted);
        bonus.mint(0);
        bonus.transferFrom(address(this), msg.sender, minted);
    }
}

/// @title Breaks one rule: it sells ERC-20 coins to its caller, and no transaction type forwards those
contract CoinsStayWithCaller is ERC20, Payment {
    constructor(address usdc_) ERC20("Coins", "COIN") Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        _mint(msg.sender, price * 1e12);
    }
}

/// @title Breaks one rule: it calls the credits contract while being paid
contract Reenters is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        ICredits(msg.sender).withdrawFees();
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it lets another account spend its revenue, and leaves that allowance behind
contract LeavesAllowance is Payment {
    address public constant ROUTER = address(uint160(uint256(keccak256("router"))));

    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        usdc.approve(ROUTER, price);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: with little gas, its delivery fails, and it keeps the money
contract KeepsMoneyOnShortGas is Payment {
    mapping(address receiver => uint256) public paidFor;
    mapping(uint256 slot => uint256) public shelf;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        try this.deliver(receiver, price) {} catch {}
    }

    /// @dev Writes twelve new slots, which takes about 270,000 gas.
    function deliver(address receiver, uint256 price) external {
        require(msg.sender == address(this), "KeepsMoneyOnShortGas: not me");
        uint256 first = uint256(keccak256(abi.encode(receiver, paidFor[receiver])));
        for (uint256 i = 0; i < 12; ++i) {
            shelf[first + i] = 1;
        }
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: the transaction's sender decides who receives the token
contract UsesTxOrigin is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Uses the origin", "ORIGIN") Payment(usdc_) {}

    /// @param receiver must not be zero, but gets nothing
    function buy(address receiver, uint256 price) external {
        require(receiver != address(0), "UsesTxOrigin: no receiver");
        _pull(price);
        _mint(tx.origin, ++minted);
    }
}

/// @title Breaks one rule: from an hour after its deployment on, it refuses calls
contract DependsOnTime is Payment {
    uint256 public immutable endsAt = block.timestamp + 1 hours;
    mapping(address receiver => uint256) public paidFor;

    error SaleEnded(uint256 endsAt);

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        if (block.timestamp >= endsAt) revert SaleEnded(endsAt);
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it sells only once
contract DiffersOnSecondCall is Payment {
    mapping(address receiver => uint256) public paidFor;

    error SoldOut();

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        if (paidFor[receiver] != 0) revert SoldOut();
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it limits purchases by msg.sender, which all customers share
contract SeesOneCustomer is Payment {
    mapping(address buyer => uint256) public bought;
    mapping(address receiver => uint256) public paidFor;

    error LimitReached(uint256 limit);

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        if (++bought[msg.sender] > 3) revert LimitReached(3);
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Breaks one rule: it uses more gas than a redeem may request
contract GasAboveLimit is Payment {
    /// @dev More than `MAX_MINIMUM_GAS` of `Credits`, which limits whitelist entries.
    uint256 public constant WORK = 15_800_000;

    event Bought(address receiver);

    constructor(address usdc_) Payment(usdc_) {}

    /// @dev Stores nothing, because the trace of such a long redeem has no storage keys.
    function buy(address receiver, uint256 price) external {
        uint256 start = gasleft();
        _pull(price);
        emit Bought(receiver);
        uint256 spent = 0;
        while (start - gasleft() < WORK) ++spent;
    }
}

/// @title Breaks one rule: its delivery always fails, and it ignores the failure
contract SwallowsFailure is Payment {
    uint256 public orders;

    error OutOfStock();

    constructor(address usdc_) Payment(usdc_) {}

    /// @param receiver must not be zero, but gets nothing
    function buy(address receiver, uint256 price) external {
        require(receiver != address(0), "SwallowsFailure: no receiver");
        _pull(price);
        ++orders;
        try this.deliver() {} catch {}
    }

    function deliver() external pure {
        revert OutOfStock();
    }
}

/// @title The implementation behind `Upgradeable`
contract UpgradeableShop is Payment, Ownable, UUPSUpgradeable {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) Ownable(msg.sender) {}

    function start(address owner_) external {
        require(owner() == address(0), "UpgradeableShop: started");
        _transferOwnership(owner_);
    }

    function buy(address receiver, uint256 price) external {
        _pull(price);
        paidFor[receiver] += price;
    }

    function _authorizeUpgrade(address) internal view override {
        _checkOwner();
    }
}

/// @title Breaks one rule: its owner can replace its code
contract Upgradeable is ERC1967Proxy {
    constructor(address usdc_)
        ERC1967Proxy(address(new UpgradeableShop(usdc_)), abi.encodeCall(UpgradeableShop.start, (msg.sender)))
    {}
}
