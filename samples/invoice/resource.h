/* Every number of the program, each used once. Tests and recordings know them: never change one, only add.
 *
 * Blocks: 100 resources, 1000 main window, 1100 item dialog, 1200 options, 1300 about, 4000 commands, 5000 texts.
 */
#ifndef RESOURCE_H
#define RESOURCE_H

/* Resources. */
#define IDR_MANIFEST 1
#define IDR_MENU 100
#define IDR_ACCELERATORS 101
#define IDD_ITEM 110
#define IDD_ITEM_EXTRA 111
#define IDD_ITEM_NO_OK 112
#define IDD_ITEM_OTHER 113
#define IDD_ABOUT 114
#define IDD_CUSTOMER 115
#define IDD_MONEY 116
#define IDD_NUMBERS 117

/* Main window. */
#define IDC_ITEMS 1000
#define IDC_TOOLBAR 1001
#define IDC_STATUS 1002

/* Item dialog. */
#define IDC_DESCRIPTION_LABEL 1100
#define IDC_DESCRIPTION 1101
#define IDC_CATEGORY_LABEL 1102
#define IDC_CATEGORY 1103
#define IDC_QUANTITY_LABEL 1104
#define IDC_QUANTITY 1105
#define IDC_QUANTITY_SPIN 1106
#define IDC_PRICE_LABEL 1107
#define IDC_PRICE 1108
#define IDC_DELIVERY_LABEL 1109
#define IDC_DELIVERY 1110
#define IDC_VAT_GROUP 1111
#define IDC_VAT_STANDARD 1112
#define IDC_VAT_REDUCED 1113
#define IDC_VAT_NONE 1114
#define IDC_GIFT_WRAP 1115
/* Only with --extra-sibling. */
#define IDC_REFERENCE_LABEL 1120
#define IDC_REFERENCE 1121
/* Only with --replace-dialog. */
#define IDC_QUICK_TEXT 1130
#define IDC_QUICK_LABEL 1131
#define IDC_QUICK_LINE 1132
#define IDC_QUICK_TAKE 1133
#define IDC_QUICK_LEAVE 1134

/* Options, page "customer". */
#define IDC_CUSTOMER_LABEL 1200
#define IDC_CUSTOMER 1201
#define IDC_DISCOUNT 1202
#define IDC_PERCENT_LABEL 1203
#define IDC_PERCENT 1204
#define IDC_PERCENT_SPIN 1205
/* Options, page "money". */
#define IDC_CURRENCY_LABEL 1210
#define IDC_CURRENCY 1211
#define IDC_ROUNDING_GROUP 1212
#define IDC_ROUND_CENT 1213
#define IDC_ROUND_FIVE 1214
#define IDC_ROUND_WHOLE 1215
/* Options, page "numbers". */
#define IDC_NUMBERS_GROUP 1220
#define IDC_NUMBERS_POINT 1221
#define IDC_NUMBERS_COMMA 1222
#define IDC_NUMBERS_PLAIN 1223
#define IDC_SHOW_CURRENCY 1224

/* About box. */
#define IDC_ABOUT_ICON 1300
#define IDC_ABOUT_NAME 1301
#define IDC_ABOUT_TEXT 1302
#define IDC_ABOUT_LINE 1303

/* Commands. */
#define IDM_NEW 4000
#define IDM_OPEN 4001
#define IDM_SAVE 4002
#define IDM_SAVE_AS 4003
#define IDM_EXIT 4004
#define IDM_ADD 4010
#define IDM_EDIT 4011
#define IDM_REMOVE 4012
#define IDM_MOVE_UP 4013
#define IDM_MOVE_DOWN 4014
#define IDM_VIEW_TOOLBAR 4020
#define IDM_VIEW_STATUS 4021
#define IDM_OPTIONS 4030
#define IDM_ABOUT 4040

/* Texts. What the status bar says about a command has the command's number. */
#define IDS_PROGRAM 5000
#define IDS_UNTITLED 5001
#define IDS_ADD_TITLE 5002
#define IDS_EDIT_TITLE 5003
#define IDS_OPTIONS_TITLE 5004
#define IDS_OK 5005
#define IDS_CANCEL 5006
#define IDS_APPLY 5007
#define IDS_READY 5008
#define IDS_COUNT 5009
#define IDS_VAT_SUM 5010
#define IDS_TOTAL 5011
#define IDS_YES 5012
#define IDS_NO 5013
#define IDS_COLUMN_DESCRIPTION 5020
#define IDS_COLUMN_QUANTITY 5021
#define IDS_COLUMN_PRICE 5022
#define IDS_COLUMN_VAT 5023
#define IDS_COLUMN_GIFT 5024
#define IDS_COLUMN_DELIVERY 5025
#define IDS_COLUMN_TOTAL 5026
#define IDS_WRAPPED 5027
#define IDS_CATEGORY_BOOKS 5030
#define IDS_CATEGORY_CLOTHES 5031
#define IDS_CATEGORY_FOOD 5032
#define IDS_CATEGORY_TOYS 5033
#define IDS_CATEGORY_SERVICE 5034
#define IDS_BUTTON_ADD 5040
#define IDS_BUTTON_EDIT 5041
#define IDS_BUTTON_REMOVE 5042
#define IDS_ASK_SAVE 5050
#define IDS_NO_DESCRIPTION 5051
#define IDS_BAD_PRICE 5052
#define IDS_BAD_QUANTITY 5053
#define IDS_BAD_PERCENT 5054
#define IDS_TOO_MANY 5055
#define IDS_CANNOT_READ 5056
#define IDS_CANNOT_WRITE 5057
#define IDS_NO_INVOICE 5058
#define IDS_FILTER 5059
#define IDS_THANKS 5060

#endif
