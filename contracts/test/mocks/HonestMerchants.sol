// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Pulls the payment from the caller, for the mock merchants
abstract contract Payment {
    IERC20 public immutable usdc;

    constructor(address usdc_) {
        usdc = IERC20(usdc_);
    }

    function _pull(uint256 amount) internal {
        if (amount != 0) require(usdc.transferFrom(msg.sender, address(this), amount), "Payment: transfer failed");
    }
}

/// @dev Merchants that break no rule.

/// @title Sells to the receiver in its call data: transaction type `normal`
contract NormalMerchant is Payment {
    uint256 public orders;
    mapping(address receiver => uint256) public paidFor;

    event Bought(uint256 indexed order, address indexed buyer, address indexed receiver, uint256 price);

    constructor(address usdc_) Payment(usdc_) {}

    /// @param price the amount to pull from the caller, in raw units
    function buy(address receiver, uint256 price) external returns (uint256 order) {
        require(receiver != address(0), "NormalMerchant: no receiver");
        _pull(price);
        order = ++orders;
        paidFor[receiver] += price;
        emit Bought(order, msg.sender, receiver, price);
    }
}

/// @title Mints ERC-721 tokens to its caller, with the receiver hook: transaction type `safeMint`
contract SafeMintMerchant721 is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Safe mint", "SAFE") Payment(usdc_) {}

    /// @param price the amount to pull for all of them, in raw units
    function mint(uint256 count, uint256 price) external {
        _pull(price);
        for (uint256 i = 0; i < count; ++i) {
            _safeMint(msg.sender, ++minted);
        }
    }
}

/// @title Mints ERC-1155 tokens to its caller: transaction type `safeMint`
contract SafeMintMerchant1155 is ERC1155, Payment {
    constructor(address usdc_) ERC1155("") Payment(usdc_) {}

    function mint(uint256 id, uint256 amount, uint256 price) external {
        _pull(price);
        _mint(msg.sender, id, amount, "");
    }

    function mintBatch(uint256[] calldata ids, uint256[] calldata amounts, uint256 price) external {
        _pull(price);
        _mintBatch(msg.sender, ids, amounts, "");
    }
}

/// @title Mints an ERC-721 token without a hook and returns its ID: transaction type `returned`
contract ReturnedMerchant is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Returned", "RET") Payment(usdc_) {}

    function mint(uint256 price) external returns (uint256 tokenId) {
        _pull(price);
        tokenId = ++minted;
        _mint(msg.sender, tokenId);
    }
}

/// @title Sells existing ERC-721 tokens, each at its own price: transaction type `known token id`
contract KnownTokenIdMerchant is ERC721, Payment {
    mapping(uint256 tokenId => uint256) public priceOf;

    constructor(address usdc_) ERC721("Known", "KNOWN") Payment(usdc_) {}

    /// @notice Mints a token and offers it for sale. Anyone may call this, because it is a mock.
    function list(uint256 tokenId, uint256 price) external {
        if (_ownerOf(tokenId) == address(0)) _mint(address(this), tokenId);
        require(ownerOf(tokenId) == address(this), "KnownTokenIdMerchant: sold");
        priceOf[tokenId] = price;
    }

    function buy(uint256 tokenId) external {
        require(_ownerOf(tokenId) == address(this), "KnownTokenIdMerchant: not for sale");
        _pull(priceOf[tokenId]);
        _transfer(address(this), msg.sender, tokenId);
    }
}

/// @title Sells ERC-20 coins as a router expects it: mints them to its caller, then transfers them to a named receiver
contract CoinSale is ERC20, Payment {
    constructor(address usdc_) ERC20("Coins", "COIN") Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        _mint(msg.sender, price);
        _transfer(msg.sender, receiver, price);
    }
}

/// @title Sells prints of one ID, and gives the artist one print for each sale
contract EditionForTwo is ERC1155, Payment {
    address public constant ARTIST = address(uint160(uint256(keccak256("artist"))));

    constructor(address usdc_) ERC1155("") Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        _mint(receiver, 7, 1, "");
        _mint(ARTIST, 7, 1, "");
    }
}

/// @title Sells tickets that cannot be transferred (EIP-5192)
contract LockedTicket is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Locked ticket", "LOCK") Payment(usdc_) {}

    /// @param price the amount to pull from the caller, in raw units
    function buy(address receiver, uint256 price) external {
        _pull(price);
        _safeMint(receiver, ++minted);
    }

    function buyForMyself(uint256 price) external {
        _pull(price);
        _safeMint(msg.sender, ++minted);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        require(from == address(0), "LockedTicket: stays where it is");
    }
}

/// @title A merchant on the destination chain, where it is paid: transaction type `decent`
contract DecentMerchant {
    IERC20 public immutable token;
    bool public closed;
    uint256 public orders;
    mapping(address receiver => uint256) public paidFor;

    event Bought(uint256 indexed order, address indexed receiver, uint256 price, bool isNative);

    /// @param token_ the token that it accepts in addition to the chain's native coin
    constructor(address token_) {
        token = IERC20(token_);
    }

    /// @notice Closes the shop, so that calls fail. Anyone may call this, because it is a mock.
    function setClosed(bool closed_) external {
        closed = closed_;
    }

    function buy(address receiver, uint256 price) external {
        require(!closed, "DecentMerchant: closed");
        require(token.transferFrom(msg.sender, address(this), price), "DecentMerchant: transfer failed");
        paidFor[receiver] += price;
        emit Bought(++orders, receiver, price, false);
    }

    function buyNative(address receiver) external payable {
        require(!closed, "DecentMerchant: closed");
        paidFor[receiver] += msg.value;
        emit Bought(++orders, receiver, msg.value, true);
    }
}
